// The reasons of a label as sentences with numbers, for people.
import { type Amount, subtract } from '../../../schemas/amount.ts'
import type { CurveRow, LaunchRow, MintState } from '../../../schemas/types.ts'
import type { Holdings } from '../fold/holdings.ts'
import { DEMAND_WINDOW_S } from '../thresholds.ts'
import { shareOf, solOf } from './amounts.ts'
import { unseenInsiders } from './holders-part.ts'
import { ageOf, areHoldersKnown, demandOf, graduatedOf, hasTop5Sold, isReversed, isStalled, type RiskLabel } from './labels.ts'
import type { Coverage, Moment } from './moment.ts'

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
const sol = (lamports: Amount): string => `${solOf(lamports).toFixed(2)} SOL`
const counted = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`

const curveWords = (launch: LaunchRow, curve: CurveRow, moment: Moment): string => {
  const age = `launched ${ageOf(launch, moment)} s ago`
  if (curve.quoteMint !== null) return `${age} on a curve that is not paired with SOL: SOL figures and SOL thresholds do not apply`
  const peak = `peak ${sol(curve.peakQuoteUnits)}`
  if (curve.migratedAt !== 0)
    return `${age}, migrated to a pool; ${peak} on the curve, ${graduatedOf(curve) ? 'graduated' : 'never seen at 84 SOL'}`
  if (curve.completeAt !== 0) return `${age}, the curve is complete; ${peak}, the pool was not seen yet`
  return curve.realQuoteUnits < 0 ? age : `${age}, the curve holds ${sol(curve.realQuoteUnits)}; ${peak}`
}

const flagWords = ({ launch, flags }: MintState): string[] => {
  const when = (at: number): string =>
    launch === null ? `at ${at} (unix seconds; the launch was not seen)` : `${Math.max(0, at - launch.at)} s after launch`
  return flags.map(({ flag, firstSeenAt }) => `${flag} was observed ${when(firstSeenAt)}`).sort()
}

const holderWords = (launch: LaunchRow, curve: CurveRow, holdings: Holdings, moment: Moment): string[] => {
  if (!areHoldersKnown(curve)) return [`holders are unknown: slots ${curve.gapFrom} to ${curve.gapNumber} were not delivered`]
  const of = (units: Amount): string => percent(shareOf(units, launch.supplyUnits))
  const hold = (wallets: number, units: Amount): string => `${wallets === 1 ? 'holds' : 'hold'} ${of(units)}`
  const words = [`top 5 wallets hold ${of(holdings.topFiveUnits)} of supply, the dev set ${of(holdings.devUnits)}`]
  const { bundleWallets } = curve
  if (bundleWallets > 0)
    words.push(`${counted(bundleWallets, 'other wallet')} bought in the create slot and ${hold(bundleWallets, holdings.bundleUnits)}`)
  const insiders = unseenInsiders(launch, moment) === undefined ? holdings.insiders.length : 0
  if (insiders > 0) words.push(`${counted(insiders, 'insider wallet')} (see holders.insiders) ${hold(insiders, holdings.insiderUnits)}`)
  return words
}

/** Where no wallet buys, no new wallet buys either, so only the missing new buyer is mentioned. */
const stallWords = ({ lastNewBuyerAt }: CurveRow, { asOf }: Moment): string =>
  `inflow has stalled: no ${lastNewBuyerAt === 0 ? 'buyer since the launch' : `new buyer for ${Math.floor(asOf) - lastNewBuyerAt} s`}`

const demandWords = (launch: LaunchRow, curve: CurveRow, state: MintState, moment: Moment): string[] => {
  const { buys, sells } = demandOf(state.flows, moment)
  const words = [
    `${counted(buys, 'buy')} and ${counted(sells, 'sell')} in the last ${DEMAND_WINDOW_S} s, ${counted(curve.uniqueBuyers, 'buyer')} so far`,
  ]
  if (isStalled(launch, curve, moment)) words.push(stallWords(curve, moment))
  if (areHoldersKnown(curve) && hasTop5Sold(curve, moment)) words.push(`a wallet of the top 5 sold in the last ${DEMAND_WINDOW_S} s`)
  if (isReversed(curve))
    words.push(
      `the curve is ${percent(shareOf(subtract(curve.peakQuoteUnits, curve.realQuoteUnits), curve.peakQuoteUnits))} below its peak`,
    )
  return words
}

/** Reasons of a fully covered mint: flags first, then the figures on which the label depends. */
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
  ...holderWords(launch, curve, holdings, moment),
  ...demandWords(launch, curve, state, moment),
]

/** Reasons of a thin mint. */
export const whyThin = (state: MintState, coverage: Coverage): string[] => [coverage.reason ?? '', ...flagWords(state)]
