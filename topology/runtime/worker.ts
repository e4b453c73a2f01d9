// Runs one part in this process: keeps its wanted state, and one loop that converges to it.
import { EngineError, hasCode } from '../../schemas/errors.ts'
import { pause, within } from '../waiting/waiting.ts'
import { IDLE_MS_MAX, STILL_MS_MAX } from './watchdog.ts'
import type { Part, Work } from './work.ts'

/**
 * How long a lost part may take to end its restore or to commit; then it is abandoned: the next work of the part, here or in another
 * process, fences it. Together with closing assignment and log it stays below the time limit of a stop.
 */
export const LEAVE_MS_MAX = 4_000

/** The first process to take over a part may have lost its place: it learns that within this share of the group's settle time. */
const REST_SHARE = 8
/** How often a part is taken over again from other processes between two assignments. */
export const TAKE_BACKS_MAX = 24

/** Rules shared by the workers of a process. */
export interface WorkerRules {
  /** 0: places do not move, and being fenced is a failure. */
  readonly settleMs: number
  /** False while the assignment is unknown. */
  readonly isHeard: () => boolean
  readonly failed: (failure: unknown) => void
}

/** One work of the part, from its restore to its end. */
class Attempt {
  readonly work: Work
  /** The worker's round when it began. */
  readonly round: number
  /** Resolves when it runs, is asked to stop, or is over. */
  readonly begun: Promise<void>
  /** Resolves when it has nothing left to commit, however it ended. */
  readonly over: Promise<void>
  isRunning = false
  /** True if it did not end in time: its outcome is ignored. */
  isLeftAlone = false
  #isStopped = false
  #begin: () => void = () => {}

  constructor(work: Work, round: number, failed: (attempt: Attempt, failure: unknown) => void) {
    this.work = work
    this.round = round
    this.begun = new Promise((resolve) => {
      this.#begin = resolve
    })
    this.over = this.#live(failed)
  }
  stop(): void {
    if (this.#isStopped) return
    this.#isStopped = true
    this.work.stop()
    this.#begin()
  }
  async #live(failed: (attempt: Attempt, failure: unknown) => void): Promise<void> {
    try {
      await this.work.restore()
      const run = this.work.run()
      this.isRunning = !this.#isStopped
      this.#begin()
      await run
    } catch (failure) {
      this.isRunning = false
      failed(this, failure)
    } finally {
      this.isRunning = false
      this.#begin()
    }
  }
}

/** Runs at most one work of the part at a time, abandoned ones not counted. */
export class Worker {
  readonly part: Part
  readonly #rules: WorkerRules
  #isMine = false
  /** Grows when the wanted state changes: works of older rounds end, and one of this round begins if the part is wanted here. */
  #round = 0
  #attempt: Attempt | undefined
  #attempts = 0
  /** Set after another process has taken over the part, until the assignment is settled. */
  #rest: AbortController | undefined
  /** Takeovers since the last assignment. */
  #rolledBack = 0
  #turn: Promise<void> = Promise.resolve()

  constructor(part: Part, rules: WorkerRules) {
    this.part = part
    this.#rules = rules
  }
  /** False while no work of the part runs. */
  get isCaughtUp(): boolean {
    return this.#attempt?.isRunning === true && this.#attempt.work.isCaughtUp
  }
  /** Unchanged while the part makes no progress; null while its work runs and has nothing to do. */
  get sign(): string | null {
    const work = this.#attempt?.work
    if (this.#attempt?.isRunning !== true) return `${this.#attempts} ${work?.progress}`
    const steps = work?.steps ?? null
    return steps === null ? null : `${this.#attempts} runs ${steps}`
  }
  /** See `Watched`. */
  get idleMsMax(): number {
    return this.#attempt?.isRunning === true ? STILL_MS_MAX : IDLE_MS_MAX
  }
  /**
   * Resolves when the part is in the wanted state: running, or ended (after the limit: abandoned). Never rejects; calls `failed` instead.
   */
  want(isMine: boolean): Promise<void> {
    this.#rolledBack = 0
    this.#rest?.abort()
    this.#rest = undefined
    if (isMine !== this.#isMine) {
      this.#isMine = isMine
      this.#round++
      this.#attempt?.stop()
    }
    return this.#converged()
  }

  #converged(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#converge()).catch((failure: unknown) => this.#rules.failed(failure))
    return this.#turn
  }
  async #converge(): Promise<void> {
    for (;;) {
      const attempt = this.#attempt
      if (attempt === undefined) {
        if (!this.#isMine || this.#rest !== undefined) return
        this.#attempts++
        this.#attempt = new Attempt(this.part.create(), this.#round, (failed, failure) => this.#ended(failed, failure))
      } else if (attempt.round !== this.#round) {
        await this.#end(attempt)
      } else {
        await attempt.begun
        if (this.#attempt === attempt && attempt.round === this.#round) return
      }
    }
  }
  async #end(attempt: Attempt): Promise<void> {
    await within(attempt.over, LEAVE_MS_MAX)
    attempt.isLeftAlone = true
    if (this.#attempt === attempt) this.#attempt = undefined
  }
  /**
   * Another process took over the part: correct if the place has moved there. The place may also have been there only for a moment (a newly
   * formed group has one member first) and be back here: then the part is taken over again, a limited number of times per assignment.
   */
  #ended(attempt: Attempt, failure: unknown): void {
    if (this.#attempt === attempt) this.#attempt = undefined
    const isWanted = this.#isMine && attempt.round === this.#round
    if (!hasCode(failure, 'fenced')) {
      if (!attempt.isLeftAlone || !(failure instanceof EngineError)) this.#rules.failed(failure)
    } else if (isWanted) {
      if (this.#rules.settleMs === 0 || this.#rolledBack === TAKE_BACKS_MAX) this.#rules.failed(failure)
      else void this.#rollBack()
    }
  }
  async #rollBack(): Promise<void> {
    const rest = new AbortController()
    this.#rest = rest
    this.#rolledBack++
    do await pause(this.#rules.settleMs / REST_SHARE, rest.signal)
    while (!rest.signal.aborted && !this.#rules.isHeard())
    if (this.#rest !== rest) return
    this.#rest = undefined
    await this.#converged()
  }
}
