// Reads launches with outcomes and their judgements by folding a tape, as training rows.
import { type Left, Pairing } from '../../processors/odds/train/pairing.ts'
import type { TrainingRow } from '../../processors/odds/train/rows.ts'
import type { Conclusion } from '../../schemas/types.ts'

/** The production folds, called frame by frame. */
export interface JudgingFolds<Frame> {
  batch(frame: Frame): { readonly conclusions: readonly Conclusion[] }
}

export interface TapeRows<Frame> {
  readonly folds: JudgingFolds<Frame>
  readonly frames: AsyncIterable<Frame> | Iterable<Frame>
  /** Later frames are not folded, unix seconds. */
  readonly untilS: number
  readonly stop: AbortSignal
  readonly add: (row: TrainingRow) => void
}

/** Folds all frames; returns the counts of what was left out, and the time of the newest frame, unix seconds; null without any. */
export const readTapeRows = async <Frame extends { readonly time: number }>({
  folds,
  frames,
  untilS,
  stop,
  add,
}: TapeRows<Frame>): Promise<{ readonly left: Left; readonly untilS: number } | null> => {
  const pairing = new Pairing(add)
  let last: number | null = null
  for await (const frame of frames) {
    if (frame.time > untilS || stop.aborted) break
    last = frame.time
    for (const conclusion of folds.batch(frame).conclusions) pairing.take(conclusion)
  }
  return last === null ? null : { left: pairing.left, untilS: last }
}
