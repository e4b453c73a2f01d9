// Tells another thread where a detector of somebody is at work, so that one that never returns can be ended and named.
import { formatPosition, type Position } from '../../../../schemas/position.ts'
import type { Chain } from '../../../../schemas/types.ts'

const CELLS = 7
/** How long one call may take, and how long it may take to load a file or to ask again about what was kept, seconds. */
const CALL_S = 5
const LONG_S = 120

const PHASES = ['', 'was asked', 'was loaded', 'was asked again'] as const
type Phase = 'asked' | 'loaded' | 'again'
const PHASE: Readonly<Record<Phase, number>> = { asked: 1, loaded: 2, again: 3 }

/** Written by the thread that works: phase, turn, detector, position. */
export class Heartbeat {
  readonly memory: SharedArrayBuffer
  readonly #cells: Float64Array

  constructor(memory = new SharedArrayBuffer(CELLS * Float64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory
    this.#cells = new Float64Array(memory)
  }
  /** `detector`: its number on the command line. */
  enter(phase: Phase, detector: number, position?: Position): void {
    const cells = this.#cells
    cells[1] = (cells[1] as number) + 1
    cells[2] = detector
    cells[3] = position?.number ?? -1
    cells[4] = position?.tx ?? 0
    cells[5] = position?.outer ?? 0
    cells[6] = position?.inner ?? 0
    cells[0] = PHASE[phase]
  }
  leave(): void {
    this.#cells[0] = 0
  }
  during<Result>(phase: Phase, detector: number, work: () => Result, position?: Position): Result {
    this.enter(phase, detector, position)
    const result = work()
    this.leave()
    return result
  }
  read(): readonly number[] {
    return [...this.#cells]
  }
}

/** Looks once a second; says which detector is stuck, and where, once it is. */
export class Watchdog {
  readonly #heartbeat: Heartbeat
  readonly #files: readonly string[]
  readonly #chain: Chain
  #turn = -1
  #looks = 0

  constructor(heartbeat: Heartbeat, files: readonly string[], chain: Chain) {
    this.#heartbeat = heartbeat
    this.#files = files
    this.#chain = chain
  }
  look(): string | undefined {
    const [phase = 0, turn = 0, detector = 0, number = -1, tx = 0, outer = 0, inner = 0] = this.#heartbeat.read()
    this.#looks = phase !== 0 && turn === this.#turn ? this.#looks + 1 : 0
    this.#turn = turn
    const limit = phase === PHASE.asked ? CALL_S : LONG_S
    if (this.#looks < limit) return undefined
    const place = number < 0 ? '' : ` at ${formatPosition({ chain: this.#chain, number, tx, outer, inner })}`
    return `${this.#files[detector]}: it ${PHASES[phase]}${place} and did not return within ${limit} s; a detector answers at once, and in the end`
  }
}
