// The demo's output, in order: the slots of its market, the forks between them, and its end.
import { type DemoStep, forkSteps } from './forks/forks.ts'
import type { Identity } from './identity.ts'
import type { DemoSlot } from './market-types.ts'

export interface StepOptions extends Identity {
  /** Every slot from `startMs` on, the same at each call: after a restart the source simulates the sent slots again. */
  readonly market: () => Iterable<DemoSlot>
  /** Ends after this many canonical slots sent as frames; a later start may go further. */
  readonly framesMax?: number
}

/** End of the history and start of the frames, unix milliseconds. */
export const historyEndMs = ({ startMs, historyS }: Identity): number => startMs + historyS * 1_000

/** All steps from the market's first slot on, including slots of the history and slots that are never sent, which `isLeftOut` names. */
export function* demoSteps(options: StepOptions, isLeftOut: (slot: DemoSlot) => boolean): Generator<DemoStep> {
  const { market, seed, forksPerHour: perHour, framesMax = Number.POSITIVE_INFINITY } = options
  const fromMs = historyEndMs(options)
  let frames = 0
  for (const step of forkSteps(market(), { seed, perHour, fromMs }, (slot) => !isLeftOut(slot))) {
    yield step
    if (step.type !== 'slot' || step.branch > 0 || step.slot.timeMs < fromMs || isLeftOut(step.slot)) continue
    if (++frames >= framesMax) return
  }
}
