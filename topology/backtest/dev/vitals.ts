// State of a running request that two threads share: the wanted request, a heartbeat, and the current position.
import { formatPosition, type Position } from '../../../schemas/position.ts'
import type { Chain } from '../../../schemas/types.ts'

const [WANTED, BEAT] = [0, 1]
const POSITION_AT = 8
const BYTES = POSITION_AT + 4 * 8

export class Vitals {
  readonly shared: SharedArrayBuffer
  readonly #counts: Int32Array
  readonly #position: Float64Array

  constructor(shared = new SharedArrayBuffer(BYTES)) {
    this.shared = shared
    this.#counts = new Int32Array(shared, 0, 2)
    this.#position = new Float64Array(shared, POSITION_AT, 4)
  }
  /** Number of the wanted request: others may stop. */
  get wanted(): number {
    return Atomics.load(this.#counts, WANTED)
  }
  set wanted(ask: number) {
    Atomics.store(this.#counts, WANTED, ask)
  }
  /** Changes with every call of the detector. */
  get beat(): number {
    return Atomics.load(this.#counts, BEAT)
  }
  /** Must be called before each call of the detector. */
  call({ number, tx, outer, inner }: Position): void {
    const position = this.#position
    position[0] = number
    position[1] = tx
    position[2] = outer
    position[3] = inner
    Atomics.add(this.#counts, BEAT, 1)
  }
  /** Position of the newest call. */
  positionOf(chain: Chain): string {
    const [number = 0, tx = 0, outer = 0, inner = 0] = this.#position
    return formatPosition({ chain, number, tx, outer, inner })
  }
}
