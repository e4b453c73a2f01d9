// Checks of `doctor` for the ports that `up` listens on: whether they are free, and if not, whether mintfold or another program has them.
import { createServer } from 'node:net'
import * as z from 'zod'
import type { MetricsPort } from '../../operations/metrics/server.ts'
import type { Settings } from '../settings/settings.ts'
import { portClash } from '../wiring/claim-ports.ts'
import { type Check, good, poor } from './check.ts'
import type { Running } from './checks-directory.ts'

type Ask = (url: string) => Promise<unknown>

/** `hasEngine`: the history's engine already runs on this data directory. */
export async function* checkPorts(settings: Settings, running: Running, hasEngine: boolean, ask: Ask): AsyncIterable<Check> {
  const { http, clickhouse } = settings
  const clash = portClash(settings)
  if (clash !== undefined) yield poor('ports', clash)
  yield await checkApi(settings, running, ask)
  if (http.metrics.isSet && running === undefined) yield await checkFree('metrics port', http.metrics, 'MINTFOLD_METRICS_PORT')
  if (clickhouse.url === null && clickhouse.access === null && running === undefined && !hasEngine)
    yield await checkFree('history port', { host: '127.0.0.1', port: clickhouse.port }, 'MINTFOLD_CLICKHOUSE_PORT')
}

const checkFree = async (name: string, { host, port }: Pick<MetricsPort, 'host' | 'port'>, variable: string): Promise<Check> => {
  if (port === 0) return good(name, `a free one is picked at the start (${variable} is 0)`)
  const refusal = await listenError(host, port)
  if (refusal === undefined) return good(name, `${port} on ${host} is free`)
  return poor(name, `${port} on ${host} ${reasonOf(refusal)}: stop what uses it, or set ${variable} (0 picks a free one)`)
}

const reasonOf = (refusal: string): string => (refusal === 'EADDRINUSE' ? 'is taken' : `cannot be bound (${refusal})`)

const checkApi = async ({ host, port }: Settings, running: Running, ask: Ask): Promise<Check> => {
  const name = 'port'
  const refusal = await listenError(host, port)
  if (refusal === undefined && port === 0) return good(name, 'a free one is picked at the start (MINTFOLD_PORT is 0)')
  if (refusal === undefined) return good(name, `${port} on ${host} is free`)
  if (refusal !== 'EADDRINUSE') return poor(name, `${port} on ${host} cannot be bound (${refusal}): set MINTFOLD_HOST and MINTFOLD_PORT`)
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const health = z.object({ version: z.string(), mints_tracked: z.number() }).safeParse(await ask(`${url}/health`).catch(() => undefined))
  if (!health.success)
    return poor(name, `${port} on ${host} is taken by another program: stop it, or set MINTFOLD_PORT (0 picks a free one)`)
  const words = `mintfold ${health.data.version} answers on ${url}`
  return running === undefined ? poor(name, `${words}, on another data directory: stop it, or set MINTFOLD_PORT`) : good(name, words)
}

const listenError = (host: string, port: number): Promise<string | undefined> =>
  new Promise((settle) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => settle(error.code ?? error.message))
    probe.listen(port, host, () => probe.close(() => settle(undefined)))
  })
