// fold_events: the mint fold over a synthetic tape, with state in place and journal on, one partition, without serialization.
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { Task } from '../../topology/engine/task.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import type { Bench } from './bench.ts'
import { DEFAULT_SHAPE, syntheticTape } from './synthetic-tape.ts'

const PASSES = 3

export const bench: Bench = {
  name: 'fold_events',
  unit: 'events/s',
  run: async () => {
    const tape = [...syntheticTape()]
    const rates = Array.from({ length: PASSES }, () => {
      const task = new Task(LAUNCH_RISK.folds(1), 0, DEFAULT_LIMITS)
      task.begin({ input: 0, exchange: 0 })
      const started = performance.now()
      for (const batch of tape) task.fold({ header: batch, events: batch.events })
      const seconds = (performance.now() - started) / 1_000
      return { rate: Math.round(DEFAULT_SHAPE.events / seconds), mints: task.store('mint').size, outputs: task.takeOutputs().length }
    })
    const best = rates.map(({ rate }) => rate).sort((a, b) => a - b)
    return {
      value: best[1] as number,
      detail: { passes: rates, events: DEFAULT_SHAPE.events, journal_frames: DEFAULT_LIMITS.undoFramesMax },
    }
  },
}
