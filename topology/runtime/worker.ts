// One part of the work in this process: whether it is wanted here, and one loop that gets there whatever happens meanwhile.
import { EngineError, hasCode } from '../../schemas/errors.ts'
import { pause, within } from '../waiting/waiting.ts'
import { IDLE_MS_MAX, STILL_MS_MAX } from './watchdog.ts'
import type { Part, Work } from './work.ts'

/**
 * A lost part has so long to end its restore or to commit what it has done; then it is left alone: the next work of the part, here or in
 * another process, fences it. With the closing of assignment and log it is below the time that a stop has.
 */
export const LEAVE_MS_MAX = 4_000

/** The first process to take a part over may have lost its place: it hears so within this share of the time that the group may need. */
const REST_SHARE = 8
/** So often a part is taken back, from other processes, between two assignments. */
export const TAKE_BACKS_MAX = 24

/** What a worker is told of its process. */
export interface WorkerRules {
  /** 0: places do not move, and being fenced is a failure. */
  readonly settleMs: number
  /** False while it cannot be known who has which place. */
  readonly isHeard: () => boolean
  readonly failed: (failure: unknown) => void
}

/** One work of the part, from its restore to its end. */
class Attempt {
  readonly work: Work
  /** What was wanted when it began. */
  readonly round: number
  /** Resolves when it runs, was asked to stop, or is over. */
  readonly begun: Promise<void>
  /** Resolves when nothing of it is left to commit, however it ended. */
  readonly over: Promise<void>
  isRunning = false
  /** It did not end in time: how it ends does not matter any more. */
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

/** At most one work of the part at a time that was not left alone. */
export class Worker {
  readonly part: Part
  readonly #rules: WorkerRules
  #isMine = false
  /** Grows when something else is wanted: a work of an older round ends, and one of this round begins if the part is wanted here. */
  #round = 0
  #attempt: Attempt | undefined
  #attempts = 0
  /** Another process has taken the part over: time for that to be heard. */
  #rest: AbortController | undefined
  /** So often since the last assignment. */
  #takenBack = 0
  #turn: Promise<void> = Promise.resolve()

  constructor(part: Part, rules: WorkerRules) {
    this.part = part
    this.#rules = rules
  }
  /** False while no work of it runs. */
  get isCaughtUp(): boolean {
    return this.#attempt?.isRunning === true && this.#attempt.work.isCaughtUp
  }
  /** Stays the same while nobody gets on with the part; null while its work runs and has nothing to do. */
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
  /** Resolves when it is as wanted: at work, or ended (after the limit: left alone). Never rejects; `failed` is told. */
  want(isMine: boolean): Promise<void> {
    this.#takenBack = 0
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
   * Another process took the part over: that is as it should be, if the place has moved there. It may also have been there for a moment
   * only (a group that begins anew has one member first) and be here again: then it is taken back, some times for each assignment.
   */
  #ended(attempt: Attempt, failure: unknown): void {
    if (this.#attempt === attempt) this.#attempt = undefined
    const isWanted = this.#isMine && attempt.round === this.#round
    if (!hasCode(failure, 'fenced')) {
      if (!attempt.isLeftAlone || !(failure instanceof EngineError)) this.#rules.failed(failure)
    } else if (isWanted) {
      if (this.#rules.settleMs === 0 || this.#takenBack === TAKE_BACKS_MAX) this.#rules.failed(failure)
      else void this.#takeBack()
    }
  }
  async #takeBack(): Promise<void> {
    const rest = new AbortController()
    this.#rest = rest
    this.#takenBack++
    do await pause(this.#rules.settleMs / REST_SHARE, rest.signal)
    while (!rest.signal.aborted && !this.#rules.isHeard())
    if (this.#rest !== rest) return
    this.#rest = undefined
    await this.#converged()
  }
}
