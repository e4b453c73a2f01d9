// What the demo sends, in order: the slots of its market, the forks between them, and where it ends.
import { type DemoStep, forkSteps } from './forks/forks.ts'
import type { Identity } from './identity.ts'
import { isInGap } from './losses.ts'
import type { DemoSlot } from './market-types.ts'

export interface StepOptions extends Identity {
  /** Every slot from `startMs` on, the same at each call: the source simulates again what it has sent before. */
  readonly market: () => Iterable<DemoSlot>
  /** Ends after so many slots that stay and became frames; a later start may go further. */
  readonly framesMax?: number
}

/** True where the slot never arrives. */
export const isLeftOut = ({ losses, startMs }: Identity, { timeMs }: DemoSlot): boolean => isInGap(losses, (timeMs - startMs) / 1_000)

/** When frames follow the history, unix milliseconds. */
export const historyEndMs = ({ startMs, historyS }: Identity): number => startMs + historyS * 1_000

/** All steps from the market's first slot on, the slots of the history and those that never arrive among them. */
export function* demoSteps(options: StepOptions): Generator<DemoStep> {
  const { market, seed, forksPerHour: perHour, framesMax = Number.POSITIVE_INFINITY } = options
  const fromMs = historyEndMs(options)
  let frames = 0
  for (const step of forkSteps(market(), { seed, perHour, fromMs }, (slot) => !isLeftOut(options, slot))) {
    yield step
    if (step.type !== 'slot' || step.branch > 0 || step.slot.timeMs < fromMs || isLeftOut(options, step.slot)) continue
    if (++frames >= framesMax) return
  }
}
