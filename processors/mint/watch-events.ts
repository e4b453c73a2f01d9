// What a watch of mints moves on: the six mechanisms and the steps of the lifecycle, each once, and only what the chain has confirmed.
import type { MintState } from '../../schemas/types.ts'
import type { Flag } from './detectors/detector.ts'
import type { Status } from './labels.ts'

/** Names of the contract; each step of a mint is a transition of its own. */
export const WATCH_EVENTS: readonly (Flag | 'lifecycle_transition')[] = [
  'creator_sold',
  'bundle_dumped',
  'curve_drained',
  'pool_drained',
  'curve_closed_low',
  'migrate_below_grad',
  'lifecycle_transition',
]

/** A bit once published keeps its meaning: cursors in the hands of callers hold them. */
const BITS: Readonly<Record<string, number>> = {
  creator_sold: 1,
  bundle_dumped: 2,
  curve_drained: 4,
  pool_drained: 8,
  curve_closed_low: 16,
  migrate_below_grad: 32,
  curve_complete: 64,
  migrated_graduated: 128,
  migrated_below_grad: 256,
} satisfies Readonly<
  Record<Flag | Exclude<Status, 'live_curve' | 'historical' | 'onchain_only' | 'not_launchpad' | 'not_observed'>, number>
>

type Told = Pick<MintState, 'flags' | 'steps'>
/** Of a slot. */
export type IsConfirmed = (number: number) => boolean

/** What rows tell, as a set of bits. */
export const watchBits = ({ flags, steps }: Told, isConfirmed: IsConfirmed): number => {
  let bits = 0
  for (const { flag, number } of flags) if (isConfirmed(number)) bits |= BITS[flag] ?? 0
  for (const { step, number } of steps) if (isConfirmed(number)) bits |= BITS[step] ?? 0
  return bits
}

/** Whether a set of bits has a flag or a step. */
export const hasEvent = (bits: number, name: string): boolean => (bits & (BITS[name] ?? 0)) !== 0

const STEPS = ['curve_complete', 'migrated_graduated', 'migrated_below_grad']
/** The watch events that a set of bits has. */
export const eventsOf = (bits: number): readonly string[] =>
  WATCH_EVENTS.filter((event) => (event === 'lifecycle_transition' ? STEPS.some((step) => hasEvent(bits, step)) : hasEvent(bits, event)))

/** The rows without the flags and steps of slots that the chain may still drop; figures stay as they are. */
export const confirmedOnly = (state: MintState, isConfirmed: IsConfirmed): MintState => ({
  ...state,
  flags: state.flags.filter(({ number }) => isConfirmed(number)),
  steps: state.steps.filter(({ number }) => isConfirmed(number)),
})

/** Where steps lead. */
export const lifecycleAfter = (steps: MintState['steps']): string =>
  steps.find(({ step }) => step !== 'curve_complete')?.step ?? steps[0]?.step ?? 'live_curve'
