// The clock of the demo's chain: it runs with wall time from the start of its pace.
import type { Anchor } from '../../../schemas/types.ts'
import { streamMsAt } from '../../records/stream-time.ts'
import type { PlayedClock } from '../../sources/alt/source.ts'
import type { Speed } from '../../sources/recording/recording.ts'
import type { Line } from '../../sources/source.ts'

export class DemoClock implements PlayedClock {
  readonly #pacedFromMs: () => number
  readonly #wall: () => number
  readonly #speed: Speed
  #anchor: Anchor | undefined

  /** `pacedFromMs`: earliest start of the pace, unix ms of the stream; asked when the pace begins. */
  constructor(pacedFromMs: () => number, speed: Speed, wall: () => number) {
    this.#pacedFromMs = pacedFromMs
    this.#speed = speed
    this.#wall = wall
  }
  begin(newestMs: number | null, line: Line | undefined): void {
    const isPaced = this.#speed !== 'max'
    const streamMs = Math.max(this.#pacedFromMs(), newestMs ?? 0)
    const from = (isPaced ? line : undefined) ?? { streamMs, wallMs: this.#wall() }
    this.#anchor = { type: 'anchor', ...from, speed: this.#speed === 'max' ? 0 : this.#speed }
  }
  anchor(): Anchor | undefined {
    return this.#anchor
  }
  /** Current stream time, unix ms; null at full speed and before the pace starts. */
  lineMs(): number | null {
    return this.#anchor === undefined || this.#anchor.speed === 0 ? null : streamMsAt(this.#anchor, 0, this.#wall())
  }
}
