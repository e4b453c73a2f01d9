// The moment of a card, the coverage of its curve at that moment, and ages.
import type { CurveState } from '../../../schemas/types.ts'
import type { Coverage } from '../../mint/card/moment.ts'
import { isWatched } from '../rows.ts'
import { BLOCKS_PER_SECOND, KEEP_S, SILENT_S } from '../thresholds.ts'

/** The instant of a card: a function of the tape, so replay equals live. */
export interface CurveMoment {
  /** Unix seconds; fractions are dropped. */
  readonly asOf: number
  /** The newest folded block and its tick time, unix seconds; null before the first. */
  readonly tip: { readonly number: number; readonly time: number } | null
  /** First and last number of the newest capture gap so far. */
  readonly gap: { readonly from: number; readonly to: number } | null
  /** As of a mint's card; this chain's receipts state everything. */
  readonly callsUnseenAt?: number | null
}

/** A block and its tick time, unix seconds. */
export interface BlockTime {
  readonly number: number
  readonly at: number
}

/** Time between two blocks in tenths of a second, from their numbers, limited by their whole seconds. Never below 0. */
export const tenthsBetween = (from: BlockTime, to: BlockTime): number =>
  Math.max(0, within((to.number - from.number) * (10 / BLOCKS_PER_SECOND), (to.at - from.at) * 10))

/** Age of a block at the moment, tenths of a second: the block number places it within its second. Never below 0. */
export const tenthsSince = (block: BlockTime, { asOf, tip }: CurveMoment): number => {
  const bySeconds = (Math.floor(asOf) - block.at) * 10
  if (tip === null) return Math.max(0, bySeconds)
  const byBlocks = (tip.number - block.number) * (10 / BLOCKS_PER_SECOND) + (Math.floor(asOf) - tip.time) * 10
  return Math.max(0, within(byBlocks, bySeconds))
}

/** Differences of whole seconds are off by less than one. */
const within = (byBlocks: number, bySeconds: number): number => Math.min(Math.max(byBlocks, bySeconds - 9), bySeconds + 9)

export const inSeconds = (tenths: number): number => tenths / 10

const NOT_KNOWN = `capture saw no launch of a curve or token of the launchpad (Pons V2) with this address in the last ${KEEP_S / 3_600} hours`

const thin = (reason: string): Coverage => ({ coverage: 'thin', reason, gap: null })
const overGap = (from: number, to: number): Coverage => ({
  coverage: 'thin',
  reason: `gap: blocks ${from} to ${to} were not delivered, trades of this curve may be missing`,
  gap: { from, to },
})

type Rows = Pick<CurveState, 'launch' | 'figures' | 'stub'>

/**
 * Full: the launch was witnessed, no trade can be missing because of a gap, and the curve had an event in the last 2 h. Without `rows` the
 * coverage is thin.
 */
export const coverageOf = (rows: Rows | undefined, moment: CurveMoment): Coverage => {
  const { launch = null, figures = null, stub = null } = rows ?? {}
  if (stub !== null) return thin(`forgotten: ${stub.reason}`)
  if (launch === null || figures === null) return thin(NOT_KNOWN)
  if (!isWatched(figures)) return overGap(figures.gapFrom, figures.gapNumber)
  if (moment.gap !== null && !launch.vouched && moment.gap.to >= figures.lastNumber) return overGap(moment.gap.from, moment.gap.to)
  if (Math.floor(moment.asOf) - figures.lastAt > SILENT_S) return thin(`silent: no event for more than ${SILENT_S / 3_600} h`)
  return { coverage: 'full', reason: null, gap: null }
}
