// Drives a task over a log: restore, then read -> fold -> commit for ever. The only part of the engine that waits.
import type { FrameHeader, RowKinds } from '../../processors/contract.ts'
import type { Log, LogRecord, TaskOwner } from '../ports/log.ts'
import type { EngineLimits } from './limits.ts'
import { retried } from './retry.ts'
import type { Pending, Task } from './task.ts'

/** Wall time for pacing commits: it never reaches a fold. Milliseconds, monotone. */
export type Pace = () => number

/** Runs one task until stopped. A failure ends it: rows in memory may be ahead of the log, so that only a restore may go on. */
export class TaskRunner<Rows extends RowKinds, Event, Output, Header extends FrameHeader> {
  readonly #log: Log
  readonly #task: Task<Rows, Event, Output, Header>
  readonly #limits: EngineLimits
  readonly #pace: Pace
  #owner!: TaskOwner
  #stopping = false
  #wake: (() => void) | undefined
  #inFlight: Promise<void> | undefined
  #failure: unknown
  #lastCommitAt = 0
  #offset = 0
  #sliceAt = 0

  constructor(log: Log, task: Task<Rows, Event, Output, Header>, limits: EngineLimits, pace: Pace = () => performance.now()) {
    this.#log = log
    this.#task = task
    this.#limits = limits
    this.#pace = pace
  }
  /** Takes the task over and puts its rows back. */
  async restore(): Promise<void> {
    const { input, changelog } = this.#task.definition
    this.#owner = await this.#log.own(this.#task.id)
    this.#offset = this.#owner.committed().get(this.#inputName()) ?? this.#log.start(input, this.#task.partition)
    for await (const batch of this.#readAll(changelog)) this.#task.restore(batch)
    this.#task.begin(this.#offset)
  }
  /** Folds until `stop`; resolves after the last commit. Rejects with what ended it. */
  async run(): Promise<void> {
    const unsubscribe = this.#log.onCommit((topics) => {
      if (topics.has(this.#task.definition.input.name)) this.#wake?.()
    })
    try {
      while (!this.#stopping) {
        const records = await this.#readInput()
        if (this.#stopping) break
        if (records.length > 0) await this.#foldAll(records)
        else await this.#idle()
      }
      await this.#settle()
    } finally {
      unsubscribe()
    }
  }
  /** Asks the loop to end after the record at hand. */
  stop(): void {
    this.#stopping = true
    this.#wake?.()
  }
  /** True when all input that is there now is folded and committed. */
  get isCaughtUp(): boolean {
    return (
      !this.#task.isDirty &&
      this.#inFlight === undefined &&
      this.#offset >= this.#log.end(this.#task.definition.input, this.#task.partition)
    )
  }

  async #foldAll(records: readonly LogRecord[]): Promise<void> {
    for (const record of records) {
      if (this.#stopping) return
      this.#task.step(record)
      this.#offset = record.offset + 1
      await this.#breathe()
      if (this.#commitIsDue()) await this.#commit()
    }
  }
  /** Gives way to whoever shares the process, and notices a commit that failed. */
  async #breathe(): Promise<void> {
    if (this.#pace() - this.#sliceAt < this.#limits.sliceMs) return
    await new Promise<void>((resolve) => setImmediate(resolve))
    this.#sliceAt = this.#pace()
    if (this.#failure !== undefined) throw this.#failure
  }
  #commitIsDue(): boolean {
    if (!this.#task.isDirty) return false
    if (this.#inFlight !== undefined) return this.#task.pendingEvents >= this.#limits.aheadEventsMax
    const since = this.#pace() - this.#lastCommitAt
    if (since >= this.#limits.commitIntervalMs || this.#task.pendingEvents >= this.#limits.commitEventsMax) return true
    return this.#task.hasConclusions && since >= this.#limits.conclusionIntervalMs
  }
  /** Starts a commit; waits only for the one before it, so that folding goes on while it is under way. */
  async #commit(): Promise<void> {
    await this.#inFlight
    if (this.#failure !== undefined) throw this.#failure
    this.#lastCommitAt = this.#pace()
    this.#inFlight = this.#write(this.#task.takeCommit()).catch((failure: unknown) => {
      this.#failure = failure
      this.#inFlight = undefined
      this.#wake?.()
    })
  }
  /** A failure of the world that may pass (a full disk) is waited for, with a limit; folding goes on up to its own. */
  async #write(pending: Pending): Promise<void> {
    const commit = { outputs: pending.outputs, inputs: new Map([[this.#inputName(), pending.offset]]) }
    await retried(
      () => this.#owner.commit(commit),
      this.#limits,
      () => this.#stopping,
    )
    this.#inFlight = undefined
    this.#wake?.()
  }
  /** Nothing to read: commit what there is when its time comes, else sleep until the input grows. */
  async #idle(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    if (this.#task.isDirty && this.#commitIsDue()) return this.#commit()
    const { commitIntervalMs, conclusionIntervalMs } = this.#limits
    const waitMs = !this.#task.isDirty ? undefined : this.#task.hasConclusions ? conclusionIntervalMs : commitIntervalMs
    await this.#sleep(waitMs)
  }
  async #sleep(ms: number | undefined): Promise<void> {
    if (this.#offset < this.#log.end(this.#task.definition.input, this.#task.partition) || this.#stopping) return
    await new Promise<void>((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(() => this.#wake?.(), ms)
      this.#wake = () => {
        if (timer !== undefined) clearTimeout(timer)
        this.#wake = undefined
        resolve()
      }
    })
  }
  async #settle(): Promise<void> {
    await this.#inFlight
    if (this.#failure === undefined && this.#task.isDirty) await this.#commit()
    await this.#inFlight
    if (this.#failure !== undefined) throw this.#failure
  }
  #readInput(): Promise<readonly LogRecord[]> {
    const { readRecordsMax: recordsMax, readBytesMax: bytesMax } = this.#limits
    return this.#log.read(this.#task.definition.input, this.#task.partition, this.#offset, { recordsMax, bytesMax })
  }
  async *#readAll(topic: Parameters<Log['read']>[0]): AsyncIterable<readonly LogRecord[]> {
    const end = this.#log.end(topic, this.#task.partition)
    for (let offset = this.#log.start(topic, this.#task.partition); offset < end; ) {
      const batch = await this.#log.read(topic, this.#task.partition, offset, {
        recordsMax: this.#limits.readRecordsMax,
        bytesMax: this.#limits.readBytesMax,
      })
      const last = batch.at(-1)
      if (last === undefined) return
      offset = last.offset + 1
      yield batch
    }
  }
  #inputName(): string {
    return `${this.#task.definition.input.name}/${this.#task.partition}`
  }
}
