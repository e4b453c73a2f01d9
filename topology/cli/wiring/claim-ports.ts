// The ports that `up` listens on, checked before it starts: later the history's engine is only retried in the background.
import { hasCode } from '../../../schemas/errors.ts'
import { claimPort as claimHistoryPort } from '../../history/engine/port.ts'
import { retry } from '../../waiting/retry.ts'
import { UsageError } from '../command.ts'
import type { Settings } from '../settings/settings.ts'
import { claimPort } from './open-api.ts'

/** The engine of a killed process has its port until it notices that, for less than this. */
const LEFT = { firstMs: 100, forMs: 2_000, isPassing: (failure: unknown) => hasCode(failure, 'port_in_use') }

type Ports = Pick<Settings, 'port' | 'http' | 'clickhouse'>
const hasEngine = ({ clickhouse }: Ports): boolean => clickhouse.url === null && clickhouse.access === null

/** Two settings with the same port, and what to do; undefined if there are none. */
export const portClash = (settings: Ports): string | undefined => {
  const { port, clickhouse, http } = settings
  const used: readonly (readonly [variable: string, port: number])[] = [
    ['MINTFOLD_PORT', port],
    ...(hasEngine(settings) ? [['MINTFOLD_CLICKHOUSE_PORT', clickhouse.port] as const] : []),
    ...(http.metrics.isSet ? [['MINTFOLD_METRICS_PORT', http.metrics.port] as const] : []),
  ]
  for (const [n, [variable, number]] of used.entries()) {
    const earlier = used.slice(0, n).find(([, other]) => other === number && number !== 0)
    if (earlier !== undefined)
      return `${earlier[0]} and ${variable} are both ${number}: set one of them to another port (0 picks a free one)`
  }
  return undefined
}

/** As `claimPort`, whose port it returns, for all ports. @throws UsageError for one that is set twice, EngineError `port_in_use` */
export const claimPorts = async (settings: Settings): Promise<number> => {
  const clash = portClash(settings)
  if (clash !== undefined) throw new UsageError(clash)
  const port = await claimPort(settings)
  if (hasEngine(settings)) await retry(() => claimHistoryPort(settings.clickhouse.port), LEFT)
  return port
}
