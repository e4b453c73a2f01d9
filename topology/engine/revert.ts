// Taking frames back, as the tape says it.
import type { Chain } from '../../schemas/types.ts'
import type { FrameName } from './undo/journal.ts'

/** A fork: the frame named is the newest that lives. */
export interface Revert extends FrameName {
  readonly chain: Chain
  readonly sequence: number
  /** What is taken back, newest first, where the input says it. */
  readonly dead?: readonly FrameName[]
}
