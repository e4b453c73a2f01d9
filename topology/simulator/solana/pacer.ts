// Maps stream time to wall time: when a slot is due.
import type { Anchor } from '../../../schemas/types.ts'
import type { Speed } from '../../sources/recording/recording.ts'
import type { Line } from '../../sources/source.ts'

/** Holds the newest anchor. Speed 0 means full speed: every slot is due at once, and time does not advance between slots. */
export class Pacer {
  readonly #wall: () => number
  #anchor: Anchor | undefined
  #line: Line | undefined

  constructor(wall: () => number) {
    this.#wall = wall
  }
  /** Continues a pace that another source of the same stream has started. */
  keep(line: Line | undefined): void {
    this.#line = line
  }
  /** The newest anchor; speed 0 if the stream has ended. */
  newest(hasEnded: boolean): Anchor | undefined {
    return this.#anchor && hasEnded ? { ...this.#anchor, speed: 0 } : this.#anchor
  }
  /** The anchor to log if the pace starts or changes; undefined if it continues. */
  anchor(streamMs: number, pace: Speed): Anchor | undefined {
    const speed = pace === 'max' ? 0 : pace
    if (this.#anchor?.speed === speed) return undefined
    const { streamMs: fromMs, wallMs } = (speed > 0 ? this.#line : undefined) ?? { streamMs, wallMs: this.#wall() }
    this.#anchor = { type: 'anchor', streamMs: fromMs, wallMs, speed }
    return this.#anchor
  }
  /** Milliseconds until a stream time; 0 or less if it is due. */
  waitMs(streamMs: number): number {
    if (this.#anchor === undefined || this.#anchor.speed === 0) return 0
    return (streamMs - this.#anchor.streamMs) / this.#anchor.speed - (this.#wall() - this.#anchor.wallMs)
  }
}
