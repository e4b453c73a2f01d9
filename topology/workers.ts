// The parts of the work that are done in this process: begun and ended as places are gained and lost.
import { EngineError } from '../schemas/errors.ts'
import { pause, within } from './waiting.ts'

/** One part at work. `run` resolves after `stop`, with everything committed, and rejects with what ended it. */
export interface Work {
  /** Takes it over from whoever had it, and puts its rows back. */
  restore(): Promise<void>
  run(): Promise<void>
  stop(): void
  /** True when all its input that is there now is done and committed. */
  readonly isCaughtUp: boolean
}

/** A part of the work that one process does at a time. */
export interface Part {
  readonly name: string
  /** The process that has this place does it. */
  readonly place: string
  /** Of now on; each time the place comes here. */
  create(): Work
}

/**
 * A lost part has so long to end its restore or to commit what it has done; then it is left alone, and whoever takes it over fences it.
 * With the closing of assignment and log it is below the time that a stop has.
 */
const LEAVE_MS_MAX = 4_000

/** The first wait is so much shorter than the group may need: nobody works on the part meanwhile, and fencing keeps it whole. */
const TAKE_BACK_SHARE = 8
/** For each word of the group: while its broker is silent, time passes and it says nothing. */
const TAKE_BACKS_MAX = 3

const isFenced = (failure: unknown): boolean => failure instanceof EngineError && failure.code === 'fenced'

/** One part, which is here or is not. Its works follow each other. */
class Worker {
  readonly part: Part
  readonly #failed: (worker: Worker, failure: unknown) => void
  /** So often, from other processes, since the group said last that it is here. */
  takenBack = 0
  #isMine = false
  #work: Work | undefined
  #running: Promise<void> = Promise.resolve()
  #turn: Promise<void> = Promise.resolve()

  constructor(part: Part, failed: (worker: Worker, failure: unknown) => void) {
    this.part = part
    this.#failed = failed
  }
  get isMine(): boolean {
    return this.#isMine
  }
  get isAtWork(): boolean {
    return this.#work !== undefined
  }
  get isCaughtUp(): boolean {
    return !this.#isMine || this.#work?.isCaughtUp === true
  }
  /** Resolves when it is at work, or is lost again. */
  take(): Promise<void> {
    this.#isMine = true
    return this.#inTurn(() => this.#begin())
  }
  /** Resolves when nothing of it is left to commit, or after the limit. */
  async leave(): Promise<void> {
    this.#isMine = false
    this.#work?.stop()
    await within(
      this.#inTurn(() => this.#end()),
      LEAVE_MS_MAX,
    )
  }

  #inTurn(step: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(step)
    this.#turn = done.catch(() => {})
    return done
  }
  async #begin(): Promise<void> {
    if (!this.#isMine || this.#work !== undefined) return
    const work = this.part.create()
    this.#work = work
    try {
      await work.restore()
    } catch (failure) {
      this.#work = undefined
      if (!isFenced(failure)) throw failure
      this.#failed(this, failure)
      return
    }
    this.#running = this.#run(work)
  }
  async #run(work: Work): Promise<void> {
    try {
      await work.run()
      this.#forget(work)
    } catch (failure) {
      this.#forget(work)
      this.#failed(this, failure)
    }
  }
  #forget(work: Work): void {
    if (this.#work === work) this.#work = undefined
  }
  async #end(): Promise<void> {
    await within(this.#running, LEAVE_MS_MAX)
    this.#work = undefined
  }
}

/** All parts. Those whose place is here are at work. */
export class Workers {
  readonly #workers: readonly Worker[]
  readonly #settleMs: number
  readonly #over = new AbortController()
  readonly #done: Promise<void>
  #places: ReadonlySet<string> = new Set()
  #end: { resolve: () => void; reject: (failure: unknown) => void } = { resolve: () => {}, reject: () => {} }

  /** `settleMs`: how long a part that was taken over waits to hear that it is lost; 0: places do not move. */
  constructor(parts: readonly Part[], settleMs: number) {
    this.#settleMs = settleMs
    this.#workers = parts.map((part) => new Worker(part, (worker, failure) => void this.#judge(worker, failure)))
    this.#done = new Promise((resolve, reject) => {
      this.#end = { resolve, reject }
    })
    this.#done.catch(() => {})
  }
  /** Rejects with what ended a part; resolves after `stop`. */
  get done(): Promise<void> {
    return this.#done
  }
  /** Of these parts, those that are here. */
  areCaughtUp(parts: readonly Part[]): boolean {
    return this.#workers.every(({ part, isCaughtUp }) => isCaughtUp || !parts.includes(part))
  }
  /** Ends what is lost and begins what is new; also what was taken over from here and came back. Resolves when all are at work. */
  async setMine(places: ReadonlySet<string>): Promise<void> {
    this.#places = places
    await this.#insist(() => Promise.all(this.#workers.map((worker) => this.#set(worker, places.has(worker.part.place)))))
  }
  /** Ends these parts where they are here, each with all committed, and then begins them again. Resolves when they are at work. */
  async again(parts: readonly Part[]): Promise<void> {
    const here = this.#workers.filter(({ part, isMine }) => isMine && parts.includes(part))
    await Promise.all(here.map((worker) => worker.leave()))
    const mine = here.filter(({ part }) => this.#places.has(part.place))
    await this.#insist(() => Promise.all(mine.map((worker) => worker.take())))
  }
  /** Lets every part commit what it has done. Rejects with what ended one before. */
  async stop(): Promise<void> {
    this.#over.abort()
    await Promise.all(this.#workers.map((worker) => worker.leave()))
    this.#end.resolve()
    await this.#done
  }

  async #insist(step: () => Promise<unknown>): Promise<void> {
    if (this.#over.signal.aborted) return
    try {
      await step()
    } catch (failure) {
      this.#fail(failure)
      throw failure
    }
  }
  #set(worker: Worker, isMine: boolean): Promise<void> {
    worker.takenBack = 0
    if (!isMine) return worker.isMine ? worker.leave() : Promise.resolve()
    return worker.isAtWork ? Promise.resolve() : worker.take()
  }
  /**
   * Another process took the part over: that is as it should be, if the place has moved there. It may also have been there for a moment
   * only (a group that begins anew has one member first) and be here again: then it is taken back, some times for each word of the group.
   */
  async #judge(worker: Worker, failure: unknown): Promise<void> {
    const isTaken = isFenced(failure)
    if (isTaken && !worker.isMine) return
    if (!isTaken || this.#settleMs === 0) return this.#fail(failure)
    await pause(worker.takenBack === 0 ? this.#settleMs / TAKE_BACK_SHARE : this.#settleMs, this.#over.signal)
    if (this.#over.signal.aborted || !worker.isMine || worker.isAtWork) return
    if (worker.takenBack === TAKE_BACKS_MAX) return this.#fail(failure)
    worker.takenBack++
    await this.#insist(() => worker.take()).catch(() => {})
  }
  #fail(failure: unknown): void {
    this.#end.reject(failure)
    this.#over.abort()
    for (const worker of this.#workers) worker.leave().catch(() => {})
  }
}
