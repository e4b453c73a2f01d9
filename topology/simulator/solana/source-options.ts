// The options of the demo as a source.
import type { Notice } from '../../ports/notice.ts'
import type { Speed } from '../../sources/recording/recording.ts'
import type { StepOptions } from './steps.ts'

export interface DemoSourceOptions extends StepOptions {
  /** The first `historyS` seconds are written to the tape only; slots of this many more seconds are sent at full speed. */
  readonly catchUpS: number
  readonly speed: Speed
  /** Wall time in unix milliseconds. */
  readonly wall: () => number
  readonly stop: AbortSignal
  /** Receives the gap after a long stop. */
  readonly notice?: Notice
  /** The newest slot that every fold has processed; null before the first. */
  readonly folded: () => number | null
}

/** True if its time is that of the wall; at another speed it runs away from it. */
export const followsWall = ({ isOnWall = false, speed }: Pick<DemoSourceOptions, 'isOnWall' | 'speed'>): boolean => isOnWall && speed === 1
