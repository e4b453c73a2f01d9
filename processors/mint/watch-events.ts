// The events of a watch of mints: flags and lifecycle steps, each once, and only once the chain has confirmed them.
import type { MintState } from '../../schemas/types.ts'
import { type DetectorSet, STEP_BITS } from './detectors/set.ts'

type FlagsAndSteps = Pick<MintState, 'flags' | 'steps'>
/** Whether the chain has confirmed this slot. */
export type IsConfirmed = (number: number) => boolean

const STEPS = Object.keys(STEP_BITS)
/** The event name for every step: each step of a mint is a transition. */
const TRANSITION = 'lifecycle_transition'

/** The watch events of a topology, as bit sets. Callers' cursors hold these bits. */
export class WatchEvents {
  /** Published names. */
  readonly names: readonly string[]
  readonly #bits: ReadonlyMap<string, number>

  constructor({ published, flags }: DetectorSet) {
    this.names = [...flags, TRANSITION]
    this.#bits = new Map([...published.map(({ flag, bit }): [string, number] => [flag, bit]), ...Object.entries(STEP_BITS)])
  }

  /** The confirmed events in rows, as bits. */
  of({ flags, steps }: FlagsAndSteps, isConfirmed: IsConfirmed): number {
    let bits = 0
    for (const { flag, number } of flags) if (isConfirmed(number)) bits |= this.#bits.get(flag) ?? 0
    for (const { step, number } of steps) if (isConfirmed(number)) bits |= this.#bits.get(step) ?? 0
    return bits
  }

  /** Whether a set contains a flag or a step. */
  has(bits: number, name: string): boolean {
    return (bits & (this.#bits.get(name) ?? 0)) !== 0
  }

  /** Names of the events in a set. */
  namesIn(bits: number): readonly string[] {
    return this.names.filter((name) => (name === TRANSITION ? STEPS.some((step) => this.has(bits, step)) : this.has(bits, name)))
  }
}

/** The rows without flags and steps of slots that the chain may still drop; figures are unchanged. */
export const confirmedOnly = (state: MintState, isConfirmed: IsConfirmed): MintState => ({
  ...state,
  flags: state.flags.filter(({ number }) => isConfirmed(number)),
  steps: state.steps.filter(({ number }) => isConfirmed(number)),
})

/** The lifecycle after the given steps. */
export const lifecycleAfter = (steps: MintState['steps']): string =>
  steps.find(({ step }) => step !== 'curve_complete')?.step ?? steps[0]?.step ?? 'live_curve'
