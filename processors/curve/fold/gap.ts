// Gaps: what is known of a curve after blocks that were not delivered.
import type { AltTrade, CurveFiguresRow, CurveLaunchRow } from '../../../schemas/types.ts'
import type { TapeHeader } from '../../tape.ts'
import { GAP_CLEARED, GAP_MISSED, GAP_OPEN, isWatched } from '../rows.ts'
import { followsFrom } from './reserves.ts'

type Figures = Readonly<CurveFiguresRow>

/** True when the newest gap reaches the frame of the curve's newest event, or lies after it. Vouched frames have no gap. */
export const isOverGap = ({ lastNumber }: Figures, { vouched, gapTo }: TapeHeader): boolean =>
  !vouched && gapTo !== null && gapTo >= lastNumber

/** Records the header's newest gap and that trades may be missing (GAP_OPEN). A curve that missed a trade stays GAP_MISSED. */
export const noteGap = (figures: CurveFiguresRow, { gapFrom, gapTo }: TapeHeader): void => {
  figures.gapNumber = gapTo ?? -1
  figures.gapFrom = gapFrom ?? -1
  if (figures.gapTrades !== GAP_MISSED) figures.gapTrades = GAP_OPEN
}

/** The first event after a gap judges it: if the event does not match the stored reserves, something was missed. */
export const judgeGap = (figures: CurveFiguresRow, matches: () => boolean): void => {
  if (figures.gapTrades === GAP_OPEN) figures.gapTrades = matches() ? GAP_CLEARED : GAP_MISSED
}

/**
 * Judges a gap by a trade; call it before the trade's amounts are applied. Rounding favours the curve, so missed trades cannot lead back to
 * the same reserves.
 */
export const judgeByTrade = (launch: Readonly<CurveLaunchRow>, figures: CurveFiguresRow, trade: AltTrade): void =>
  judgeGap(figures, () => followsFrom(launch, figures, trade))

/** True when the labels of an outcome would depend on trades that may be missing. */
export const isCensoredByGap = (figures: Figures, header: TapeHeader): boolean => !isWatched(figures) || isOverGap(figures, header)
