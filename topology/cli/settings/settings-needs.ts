// Settings that a source and payments require, and which of them are missing.
import { CURVE_RISK } from '../../curve-risk.ts'
import { NODES } from '../../launch-risk.ts'
import { UsageError } from '../command.ts'
import { DEMO, LIVE, sourceName } from './source-name.ts'

const CURVES = CURVE_RISK.chain.name

type GivenSettings = Readonly<Record<string, unknown>> & {
  readonly X402_FACILITATOR_URL?: string | undefined
  readonly X402_PAY_TO?: string | undefined
}

/** A command that runs on Kafka, with a history that it shares. */
export type Role = 'capture' | 'process' | 'serve'

const lackingOf = (role: Role | undefined, given: GivenSettings): readonly string[] => {
  const hasBrokers = given.KAFKA_BROKERS !== undefined
  const lacking: string[] = []
  if (role !== undefined && !hasBrokers)
    lacking.push(
      `KAFKA_BROKERS is not set, but mintfold ${role} runs on Kafka: set it and SCHEMA_REGISTRY_URL, or run every role with mintfold up`,
    )
  if (hasBrokers && given.SCHEMA_REGISTRY_URL === undefined)
    lacking.push('SCHEMA_REGISTRY_URL is not set, and the log on Kafka (KAFKA_BROKERS) needs a schema registry')
  if (role !== undefined && given.CLICKHOUSE_URL === undefined && given.MINTFOLD_HISTORY_ACCESS === undefined)
    lacking.push(
      `CLICKHOUSE_URL is not set, but mintfold ${role} shares its history with other processes: set CLICKHOUSE_URL, or start mintfold ` +
        'history and set MINTFOLD_HISTORY_ACCESS to its access file',
    )
  return lacking
}

/** What is started. */
export interface Start {
  /** What is played. */
  readonly source: string
  readonly role?: Role
}

/** Reports all at once: a first try of the live chain lacks most of them. @throws UsageError */
export const refuseLacking = (given: GivenSettings, { source, role }: Start, isPaid: boolean): void => {
  const { X402_FACILITATOR_URL, X402_PAY_TO } = given
  const lacking = [...lackingOf(role, given)]
  const name = sourceName(source)
  if (name?.kind === LIVE) {
    const chains = name.chain === null ? Object.values(NODES) : [NODES[name.chain]]
    if (chains.every(({ anyOf }) => anyOf.every((variable) => given[variable] === undefined)))
      lacking.push(`--source ${source} needs a node of the chain: set ${chains.map(({ words }) => words).join(', or of the other ')}`)
  }
  const isSet = given.ALT_FACTORIES !== undefined || given.ALT_ROUTERS !== undefined
  if (name?.kind === DEMO && (name.chain ?? CURVES) === CURVES && isSet)
    lacking.push(
      'the demo of the alt chain always uses the addresses of the deployed launchpad: unset ALT_FACTORIES and ALT_ROUTERS, or use --source live',
    )
  const missing = Object.entries({ X402_FACILITATOR_URL, X402_PAY_TO }).flatMap(([name, value]) => (value === undefined ? [name] : []))
  if (isPaid && missing.length > 0) {
    const are = missing.length === 1 ? 'which is not set: set it' : 'which are not set: set them'
    lacking.push(`payments by facilitator need ${missing.join(' and ')}, ${are}, or MINTFOLD_PAYMENTS=sandbox or off`)
  }
  if (lacking.length > 0) throw new UsageError(lacking.join('; '))
}
