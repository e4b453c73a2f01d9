// Stretches of synthetic rows, and of the demo's market through the production folds.
import type { DetectorRows } from '../../../../processors/mint/detectors/detector.ts'
import type { Key } from '../../../../schemas/keys.ts'
import type { ChainEvent } from '../../../../schemas/record-forms.ts'
import type { Conclusion } from '../../../../schemas/types.ts'
import type { TapeFrame } from '../../../../topology/backtest/backtest.ts'
import { Stretch, type StretchOptions } from '../../../../topology/backtest/dev/stretch.ts'
import { MINTS } from '../../../../topology/backtest/trials/market.ts'

/** The events of a launch are identified by a derived mint: the first 32 characters of its curve, reversed. */
export const mintOf = ({ launch }: DetectorRows): Key => [...launch.bondingCurve].reverse().join('') as Key

/** A frame that shows these rows to detectors, in order. */
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

/** Folds that show the contents of the frames. */
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
