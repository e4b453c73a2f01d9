// Checks that a loopback port is free before the embedded ClickHouse (here: the engine) is started on it.
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { EngineError } from '../../../schemas/errors.ts'

/**
 * Range from which a port is chosen if port 0 is asked for. It is below the ephemeral ports (Linux 32768-60999, others 49152-65535), so the
 * operating system does not assign the port to another program in the seconds between this check and the engine's bind, at the start and at
 * each restart.
 */
const OWN = { from: 10_000, to: 32_000 }
const TRIES_MAX = 20

/** The port, or a free one for 0. @throws EngineError `port_in_use`, retriable. */
export const claimPort = async (port: number): Promise<number> => {
  for (let tries = 1; ; tries++) {
    const claimed = port === 0 ? randomInt(OWN.from, OWN.to) : port
    const cause = await whyNot(claimed)
    if (cause === null) return claimed
    if (port === 0 && tries < TRIES_MAX) continue
    const message = `port ${claimed} on 127.0.0.1 cannot be used for ClickHouse (${cause.code ?? cause.message}). Free it, or set MINTFOLD_CLICKHOUSE_PORT.`
    throw new EngineError('port_in_use', message, { retriable: true, facts: { port: claimed }, cause })
  }
}

const whyNot = (port: number): Promise<NodeJS.ErrnoException | null> =>
  new Promise((resolve) => {
    const probe = createServer().once('error', resolve)
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(null)))
  })
