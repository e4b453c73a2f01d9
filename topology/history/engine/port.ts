// Whether a port of loopback is free, before something is started that would only fail on it later.
import { createServer } from 'node:net'
import { EngineError } from '../../../schemas/errors.ts'

/** The port, or a free one for 0. @throws EngineError `port_in_use`, retriable. */
export const claimPort = (port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (cause: NodeJS.ErrnoException) => {
      const message = `port ${port} on 127.0.0.1 cannot be used for ClickHouse (${cause.code ?? cause.message}). Free it, or set MINTFOLD_CLICKHOUSE_PORT.`
      reject(new EngineError('port_in_use', message, { retriable: true, facts: { port }, cause }))
    })
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address()
      const claimed = typeof address === 'object' && address !== null ? address.port : port
      probe.close(() => resolve(claimed))
    })
  })
