// Stretches of made-up rows, and of the demo's market through the production folds.
import type { DetectorRows } from '../../../../processors/mint/detectors/detector.ts'
import type { Key } from '../../../../schemas/keys.ts'
import type { ChainEvent } from '../../../../schemas/record-forms.ts'
import type { Conclusion } from '../../../../schemas/types.ts'
import type { TapeFrame } from '../../../../topology/backtest/backtest.ts'
import { Stretch, type StretchOptions } from '../../../../topology/backtest/dev/stretch.ts'
import { MINTS } from '../../../../topology/backtest/trials/market.ts'

/** What stands for a launch in events: the mint is the first 32 characters of its curve, turned. */
export const mintOf = ({ launch }: DetectorRows): Key => [...launch.bondingCurve].reverse().join('') as Key

/** A frame that shows these rows to detectors, one after the other. */
export interface RowsFrame extends TapeFrame {
  readonly rows: readonly DetectorRows[]
  readonly conclusions?: readonly Conclusion[]
}
export const frameOf = (number: number, time: number, rows: readonly DetectorRows[], opened: readonly DetectorRows[] = []): RowsFrame => ({
  ...{ number, time, hash8: `H${number}`.slice(0, 8), rows },
  events: opened.map((one, tx) => launchEvent(one, tx)),
})

const launchEvent = (rows: DetectorRows, tx: number): ChainEvent => {
  const { bondingCurve, creator, name, symbol } = rows.launch
  return { type: 'launch', tx, outer: 0, inner: 0, mint: mintOf(rows), bondingCurve, creator, name, symbol } as unknown as ChainEvent
}

/** Folds that show what the frames hold. */
export const stretchOf = (options: Partial<StretchOptions<DetectorRows, RowsFrame>> = {}): Stretch<DetectorRows, RowsFrame> =>
  new Stretch({
    ...{ of: 'mint', market: MINTS, keptS: 3_600, ...options },
    folds: (probe) => ({
      batch: ({ rows, conclusions = [] }) => {
        rows.forEach(probe)
        return { conclusions }
      },
    }),
  })
