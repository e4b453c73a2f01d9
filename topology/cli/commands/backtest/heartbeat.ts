// Reports to another thread which user's detector is running, so that one that never returns can be ended and named.
import { formatPosition, type Position } from '../../../../schemas/position.ts'
import type { Chain } from '../../../../schemas/types.ts'

const CELLS = 7
/** Limits, seconds: one call of a detector; loading a file or the look-ahead check. */
const CALL_S = 5
const LONG_S = 120

const PHASES = ['', 'was called', 'was loaded', 'was called again'] as const
type Phase = 'call' | 'loaded' | 'again'
const PHASE: Readonly<Record<Phase, number>> = { call: 1, loaded: 2, again: 3 }

/** Written by the backtest thread: phase, turn, detector, position. */
export class Heartbeat {
  readonly memory: SharedArrayBuffer
  readonly #cells: Float64Array

  constructor(memory = new SharedArrayBuffer(CELLS * Float64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory
    this.#cells = new Float64Array(memory)
  }
  /** `detector`: its index on the command line. */
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

/** Polled once a second; reports which detector is stuck, and where. */
export class Watchdog {
  readonly #heartbeat: Heartbeat
  readonly #files: readonly string[]
  readonly #chain: Chain
  #turn = -1
  #stillChecks = 0

  constructor(heartbeat: Heartbeat, files: readonly string[], chain: Chain) {
    this.#heartbeat = heartbeat
    this.#files = files
    this.#chain = chain
  }
  check(): string | undefined {
    const [phase = 0, turn = 0, detector = 0, number = -1, tx = 0, outer = 0, inner = 0] = this.#heartbeat.read()
    this.#stillChecks = phase !== 0 && turn === this.#turn ? this.#stillChecks + 1 : 0
    this.#turn = turn
    const limit = phase === PHASE.call ? CALL_S : LONG_S
    if (this.#stillChecks < limit) return undefined
    const at = number < 0 ? '' : ` at ${formatPosition({ chain: this.#chain, number, tx, outer, inner })}`
    return `${this.#files[detector]}: it ${PHASES[phase]}${at} and did not return within ${limit} s; a detector must return quickly: look for an endless loop`
  }
}
