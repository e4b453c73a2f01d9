// The reasons of a label as sentences with numbers, for people.
import type { CurveRow, LaunchRow, MintState } from '../../schemas/types.ts'
import { shareOf, solOf } from './amounts.ts'
import type { Holdings } from './holdings.ts'
import { ageOf, areHoldersKnown, demandOf, graduatedOf, hasTop5Sold, isReversed, isStalled, type RiskLabel } from './labels.ts'
import type { Coverage, Moment } from './moment.ts'
import { DEMAND_WINDOW_S } from './thresholds.ts'

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
const sol = (lamports: number): string => `${solOf(lamports).toFixed(2)} SOL`

const curveWords = (launch: LaunchRow, curve: CurveRow, moment: Moment): string => {
  const age = `launched ${ageOf(launch, moment)} s ago`
  if (curve.quoteMint !== null) return `${age} on a curve that is not paired with SOL: SOL figures and SOL thresholds do not apply`
  const peak = `peak ${sol(curve.peakQuoteUnits)}`
  if (curve.migratedAt !== 0)
    return `${age}, migrated to a pool; ${peak} on the curve, ${graduatedOf(curve) ? 'graduated' : 'never seen at 84 SOL'}`
  if (curve.completeAt !== 0) return `${age}, the curve is complete; ${peak}, the pool was not seen yet`
  return curve.realQuoteUnits < 0 ? age : `${age}, the curve holds ${sol(curve.realQuoteUnits)}; ${peak}`
}

const flagWords = ({ flags }: MintState): string[] =>
  flags.map(({ flag, firstSeenAt }) => `${flag} was observed at ${firstSeenAt} (unix seconds)`).sort()

const holderWords = (launch: LaunchRow, curve: CurveRow, holdings: Holdings): string[] => {
  if (!areHoldersKnown(curve)) return [`holders are unknown: slots ${curve.gapFrom} to ${curve.gapNumber} were not delivered`]
  const of = (units: number): string => percent(shareOf(units, launch.supplyUnits))
  const words = [`top 5 wallets hold ${of(holdings.topFiveUnits)} of supply, the dev set ${of(holdings.devUnits)}`]
  if (curve.bundleWallets > 0)
    words.push(`${curve.bundleWallets} other wallets bought in the create slot and hold ${of(holdings.bundleUnits)}`)
  if (holdings.insiders.length > 0)
    words.push(`${holdings.insiders.length} insider wallets (see holders.insiders) hold ${of(holdings.insiderUnits)}`)
  return words
}

const demandWords = (launch: LaunchRow, curve: CurveRow, state: MintState, moment: Moment): string[] => {
  const { buys, sells } = demandOf(state.flows, moment)
  const words = [`${buys} buys and ${sells} sells in the last ${DEMAND_WINDOW_S} s, ${curve.uniqueBuyers} buyers so far`]
  if (isStalled(launch, curve, moment)) words.push('inflow has stalled: no new buyer for 30 s or no buy in 60 s')
  if (areHoldersKnown(curve) && hasTop5Sold(curve, moment)) words.push(`a wallet of the top 5 sold in the last ${DEMAND_WINDOW_S} s`)
  if (isReversed(curve))
    words.push(`the curve is ${percent(shareOf(curve.peakQuoteUnits - curve.realQuoteUnits, curve.peakQuoteUnits))} below its peak`)
  return words
}

/** Reasons of a fully covered mint: flags first, then what the label looks at. */
export const whyFull = (
  launch: LaunchRow,
  curve: CurveRow,
  state: MintState,
  holdings: Holdings,
  label: RiskLabel,
  moment: Moment,
): string[] => [
  ...flagWords(state),
  ...(label === 'mayhem'
    ? ['launched in mayhem mode: an agent of the launchpad trades on the curve and is left out of volume and holders']
    : []),
  curveWords(launch, curve, moment),
  ...holderWords(launch, curve, holdings),
  ...demandWords(launch, curve, state, moment),
]

/** Reasons of a thin one. */
export const whyThin = (state: MintState, coverage: Coverage): string[] => [coverage.reason ?? '', ...flagWords(state)]
