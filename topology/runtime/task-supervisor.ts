// Runs one task in this process: keeps its wanted state, and one loop that converges to it.
import { EngineError, hasCode } from '../../schemas/errors.ts'
import { pause, stopped, within } from '../waiting/waiting.ts'
import type { RunningTask, TaskSpec } from './task-spec.ts'
import { IDLE_MS_MAX, STILL_MS_MAX } from './watchdog.ts'

/**
 * How long a lost task may take to end its restore or to commit; then it is abandoned: the next attempt to run it, here or in another
 * process, fences it. Together with closing assignment and log it stays below the time limit of a stop.
 */
export const LEAVE_MS_MAX = 4_000

/**
 * A process that takes over a task may have just lost the task's partition. It learns so within the group's settle time divided by this;
 * the process that has the partition waits as long before it takes the task over again.
 */
const BACKOFF_SHARE = 8
/** How often at most a task is taken over again from other processes between two assignments. */
export const RETAKES_MAX = 24

/** Rules shared by the supervisors of a process. */
export interface SupervisorRules {
  /** 0: partitions never move, and being fenced is a failure. */
  readonly settleMs: number
  /** False while the assignment is unknown. */
  readonly isAssignmentKnown: () => boolean
  readonly failed: (failure: unknown) => void
}

/** What a process does with a task: `runs` it, stands by (`follows`), or has nothing to do with it. */
export type Wanted = 'runs' | 'follows' | 'nothing'

/** One attempt to run the task, from its restore to its end; it may follow the task first. */
class Attempt {
  readonly task: RunningTask
  /** The supervisor's round when it began. */
  readonly round: number
  /** Resolves when it runs, is asked to stop, or is over. */
  readonly begun: Promise<void>
  /** Resolves when it has nothing left to commit, however it ended. */
  readonly over: Promise<void>
  isRunning = false
  /** True until it is to run. */
  isFollowing: boolean
  /** True once the supervisor no longer waits for its end: an EngineError of it is then ignored. */
  isLeftAlone = false
  #isStopped = false
  #begin: () => void = () => {}
  readonly #following = new AbortController()

  constructor(task: RunningTask, round: number, follows: boolean, failed: (attempt: Attempt, failure: unknown) => void) {
    this.task = task
    this.round = round
    this.isFollowing = follows
    this.begun = new Promise((resolve) => {
      this.#begin = resolve
    })
    this.over = this.#live(failed)
  }
  /** Ends the following: from now on the task is to run. */
  lead(): void {
    this.isFollowing = false
    this.#following.abort()
  }
  stop(): void {
    if (this.#isStopped) return
    this.#isStopped = true
    this.task.stop()
    this.#following.abort()
    this.#begin()
  }
  async #live(failed: (attempt: Attempt, failure: unknown) => void): Promise<void> {
    const { signal } = this.#following
    try {
      if (this.isFollowing) await Promise.all([this.task.follow?.(signal), stopped(signal)])
      await this.task.restore()
      const run = this.task.run()
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

/** Runs at most one attempt at a time, not counting attempts that did not end in time and were abandoned. */
export class TaskSupervisor {
  readonly spec: TaskSpec
  readonly #rules: SupervisorRules
  #wanted: Wanted = 'nothing'
  /** Grows when the wanted state changes: attempts of older rounds end, and one of this round begins if the task is wanted here. */
  #round = 0
  #attempt: Attempt | undefined
  #attempts = 0
  /** Set after another process has taken over the task, until the assignment is settled. */
  #backoff: AbortController | undefined
  /** Number of retakes since the last assignment. */
  #retakes = 0
  #turn: Promise<void> = Promise.resolve()

  constructor(spec: TaskSpec, rules: SupervisorRules) {
    this.spec = spec
    this.#rules = rules
  }
  /** False while the task does not run. */
  get isCaughtUp(): boolean {
    return this.#attempt?.isRunning === true && this.#attempt.task.isCaughtUp
  }
  /** True if it follows the task, and a takeover would be fast. */
  get isWarm(): boolean {
    const attempt = this.#attempt
    return attempt?.isFollowing === true && (attempt.task.isWarm ?? true)
  }
  /** Unchanged while the task makes no progress; null while it runs and has nothing to do. */
  get sign(): string | null {
    const task = this.#attempt?.task
    if (this.#attempt?.isRunning !== true) return `${this.#attempts} ${task?.progress}`
    const steps = task?.steps ?? null
    return steps === null ? null : `${this.#attempts} runs ${steps}`
  }
  /** See `Watched`. */
  get idleMsMax(): number {
    return this.#attempt?.isRunning === true ? STILL_MS_MAX : IDLE_MS_MAX
  }
  /**
   * Resolves when the task is in the wanted state: running, following, or ended (after the limit: abandoned). Never rejects; calls `failed`
   * instead.
   */
  want(wanted: Wanted): Promise<void> {
    this.#retakes = 0
    this.#backoff?.abort()
    this.#backoff = undefined
    const isTakeover = this.#wanted === 'follows' && wanted === 'runs'
    if (wanted !== this.#wanted && !isTakeover) {
      this.#round++
      this.#attempt?.stop()
    }
    this.#wanted = wanted
    if (isTakeover) this.#attempt?.lead()
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
        if (this.#wanted === 'nothing' || this.#backoff !== undefined) return
        this.#attempts++
        const follows = this.#wanted === 'follows'
        this.#attempt = new Attempt(this.spec.create(), this.#round, follows, (failed, failure) => this.#ended(failed, failure))
      } else if (attempt.round !== this.#round) {
        await this.#end(attempt)
      } else if (attempt.isFollowing) {
        return
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
   * Being fenced means that another process took over the task, which is correct if the partition has moved there. The partition may also
   * have been there only for a moment (a newly formed group has one member first) and be assigned here again: then this process takes the
   * task over again, a limited number of times per assignment. A standby that cannot go on begins again.
   */
  #ended(attempt: Attempt, failure: unknown): void {
    if (this.#attempt === attempt) this.#attempt = undefined
    const isWanted = this.#wanted !== 'nothing' && attempt.round === this.#round
    if (hasCode(failure, 'standby_outdated')) {
      if (isWanted) void this.#converged()
    } else if (attempt.isFollowing && failure instanceof EngineError) {
      if (isWanted) void this.#retake()
    } else if (!hasCode(failure, 'fenced')) {
      if (!attempt.isLeftAlone || !(failure instanceof EngineError)) this.#rules.failed(failure)
    } else if (isWanted) {
      if (this.#rules.settleMs === 0 || this.#retakes++ === RETAKES_MAX) this.#rules.failed(failure)
      else void this.#retake()
    }
  }
  async #retake(): Promise<void> {
    const backoff = new AbortController()
    this.#backoff = backoff
    do await pause(this.#rules.settleMs / BACKOFF_SHARE, backoff.signal)
    while (!backoff.signal.aborted && !this.#rules.isAssignmentKnown())
    if (this.#backoff !== backoff) return
    this.#backoff = undefined
    await this.#converged()
  }
}
