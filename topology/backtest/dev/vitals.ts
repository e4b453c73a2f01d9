// What two threads share of an asking while it runs: which one is wanted, that it goes on, and where it is.
import { formatPosition, type Position } from '../../../schemas/position.ts'
import type { Chain } from '../../../schemas/types.ts'

const [WANTED, BEAT] = [0, 1]
const PLACE_AT = 8
const BYTES = PLACE_AT + 4 * 8

export class Vitals {
  readonly shared: SharedArrayBuffer
  readonly #counts: Int32Array
  readonly #place: Float64Array

  constructor(shared = new SharedArrayBuffer(BYTES)) {
    this.shared = shared
    this.#counts = new Int32Array(shared, 0, 2)
    this.#place = new Float64Array(shared, PLACE_AT, 4)
  }
  /** Number of the asking that is wanted: others may stop. */
  get wanted(): number {
    return Atomics.load(this.#counts, WANTED)
  }
  set wanted(ask: number) {
    Atomics.store(this.#counts, WANTED, ask)
  }
  /** Moves with every call of the detector. */
  get beat(): number {
    return Atomics.load(this.#counts, BEAT)
  }
  /** Before a call of the detector. */
  call({ number, tx, outer, inner }: Position): void {
    const place = this.#place
    place[0] = number
    place[1] = tx
    place[2] = outer
    place[3] = inner
    Atomics.add(this.#counts, BEAT, 1)
  }
  /** Of the newest call. */
  positionOf(chain: Chain): string {
    const [number = 0, tx = 0, outer = 0, inner = 0] = this.#place
    return formatPosition({ chain, number, tx, outer, inner })
  }
}
