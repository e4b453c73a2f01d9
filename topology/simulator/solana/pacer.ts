// Stream time against the wall: when a slot is due, and what time it is between slots.
import type { Anchor } from '../../../schemas/types.ts'
import { streamMsAt } from '../../records/stream-time.ts'
import type { Speed } from '../../sources/recording/recording.ts'
import type { Line } from '../../sources/source.ts'

/** Holds the newest anchor. Speed 0 stands for full speed: every slot is due at once, and time stands still between slots. */
export class Pacer {
  readonly #wall: () => number
  #anchor: Anchor | undefined
  #line: Line | undefined

  constructor(wall: () => number) {
    this.#wall = wall
  }
  /** The pace goes on from there, where another source of the same stream has begun it. */
  keep(line: Line | undefined): void {
    this.#line = line
  }
  /** Of a stream that has ended time stands still. */
  newest(hasEnded: boolean): Anchor | undefined {
    return this.#anchor && hasEnded ? { ...this.#anchor, speed: 0 } : this.#anchor
  }
  /** The anchor to log where the pace begins or changes; undefined where it goes on. */
  anchor(streamMs: number, pace: Speed): Anchor | undefined {
    const speed = pace === 'max' ? 0 : pace
    if (this.#anchor?.speed === speed) return undefined
    const { streamMs: fromMs, wallMs } = (speed > 0 ? this.#line : undefined) ?? { streamMs, wallMs: this.#wall() }
    this.#anchor = { type: 'anchor', streamMs: fromMs, wallMs, speed }
    return this.#anchor
  }
  /** Milliseconds until the moment of the stream comes; 0 or less when it is due. */
  waitMs(streamMs: number): number {
    if (this.#anchor === undefined || this.#anchor.speed === 0) return 0
    return (streamMs - this.#anchor.streamMs) / this.#anchor.speed - (this.#wall() - this.#anchor.wallMs)
  }
  /** Stream time, unix milliseconds; never before the newest tick. */
  now(tickMs: number): number {
    return streamMsAt(this.#anchor, tickMs, this.#wall())
  }
}
