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

/** Reports all at once: a first try of the live chain lacks most of them. @throws UsageError */
export const refuseLacking = (given: GivenSettings, source: string, isPaid: boolean): void => {
  const { X402_FACILITATOR_URL, X402_PAY_TO } = given
  const lacking: string[] = []
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
