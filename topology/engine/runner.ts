// Drives a task over a log: restore, then read -> fold -> commit in a loop. It and the exchange reader are the only parts that wait.
import type { FrameHeader } from '../../processors/contract.ts'
import { assert } from '../../schemas/errors.ts'
import type { Commit, Log, TaskOwner } from '../ports/log.ts'
import { retryCommit } from '../waiting/retry.ts'
import { ChangelogReads } from './changelog/changelog-reads.ts'
import { restoreRows } from './changelog/restore.ts'
import { CommitPace } from './commit-pace.ts'
import type { Offsets, Waits } from './definition.ts'
import { listenerOf } from './exchange/exchange-listener.ts'
import { ExchangeReader, type Listener } from './exchange/exchange-reader.ts'
import type { Batch, ExchangeRecord } from './exchange/exchange-record.ts'
import { isBetweenFrames } from './failures.ts'
import { InputReads } from './input-reads.ts'
import { type EngineLimits, readLimitsOf } from './limits.ts'
import { watchSleep } from './sleep-watch.ts'
import type { Task } from './task.ts'
import { TimeSlice } from './time-slice.ts'
import type { Foreseen } from './undo/foreseen.ts'

/** Runs one task until stopped. A failure ends it: rows in memory may be ahead of the log, so that only a restore may continue. */
export class TaskRunner<Event, Header extends FrameHeader> {
  readonly #log: Log
  readonly #task: Task<Event, Header>
  readonly #limits: EngineLimits
  readonly #reads: InputReads<Event, Header>
  readonly #slice: TimeSlice
  readonly #pace: CommitPace<Event, Header>
  #owner!: TaskOwner
  #stopping = false
  #isRestored = false
  #progress = 0
  #wake: (() => void) | undefined
  #inFlight: Promise<void> | undefined
  #failure: unknown
  #offset = 0
  #began: Offsets = { input: 0, exchange: 0 }
  #waitingSince: number | undefined
  readonly #exchange: ExchangeReader | undefined
  readonly #listener: Listener

  /** Runners of one process share a `slice`, which also paces their commits; those of a chain share the `exchange` reader. */
  constructor(log: Log, task: Task<Event, Header>, limits: EngineLimits, slice = new TimeSlice(limits.sliceMs), exchange?: ExchangeReader) {
    const { exchange: definition } = task.definition
    this.#log = log
    this.#exchange = definition && (exchange ?? new ExchangeReader(log, definition, limits))
    this.#task = task
    this.#limits = limits
    this.#reads = new InputReads(log, task.definition, task.partition, readLimitsOf(limits))
    this.#slice = slice
    this.#pace = new CommitPace({ task, limits, slice, exchange: this.#exchange })
    this.#listener = listenerOf(task, { isWaiting: () => this.#waitingSince !== undefined, wake: () => this.#wakeIfReady() })
  }
  /** Takes over the task and restores the rows that `reads` has not read yet. If it is stopped, the rows are partial and never run. */
  async restore(reads?: ChangelogReads<Event, Header>): Promise<void> {
    const [log, task] = [this.#log, this.#task]
    this.#owner = await log.own(task.id, true)
    this.#progress++
    const offsets = await restoreRows({
      ...{ log, task, owner: this.#owner, reads: reads ?? new ChangelogReads(log, task, readLimitsOf(this.#limits)) },
      isStopping: () => this.#stopping,
      progress: () => void this.#progress++,
      commit: (commit) => this.#retried(commit),
    })
    if (offsets === undefined) return
    this.#offset = offsets.input
    this.#began = offsets
    task.begin(offsets)
    this.#isRestored = true
  }
  /** Accepts a batch from a task of this process, ahead of the log. */
  offer(batch: Batch): void {
    if (!this.#isRestored) return
    this.#task.exchange?.offer(batch)
    this.#wakeIfFed()
  }
  /** Accepts what a task of another process told, ahead of the log. */
  hear(record: ExchangeRecord): void {
    if (!this.#isRestored || !this.#task.hasRoom) return
    this.#task.exchange?.hear(record)
    this.#wakeIfFed()
  }
  /** Partitions whose tasks the next frame waits for, and how long it has waited, in ms of `TimeSlice.pace`; 0 ms if it does not wait. */
  get waits(): Waits {
    return { writers: this.#task.awaits, ms: this.#waitingSince === undefined ? 0 : this.#slice.pace() - this.#waitingSince }
  }
  /** Folds until `stop`; resolves after the last commit. Rejects with the failure that ended it. */
  async run(): Promise<void> {
    assert(this.#isRestored || this.#stopping, `${this.#task.id} runs without its rows`)
    const unsubscribe = this.#log.onCommit((topics) => {
      if (this.#waitingSince === undefined && topics.has(this.#task.definition.input.name)) this.#wake?.()
    })
    const unwatch = watchSleep(
      this.#task.id,
      this.#limits.asleepMsMax,
      () => this.#isAsleepBesideWork,
      (failure) => this.#fail(failure),
    )
    try {
      await this.#exchange?.join(this.#listener, this.#began.exchange, () => this.#stopping)
      for (; !this.#stopping; this.#progress++) {
        if (this.#exchange?.hasMore) await this.#exchange.read()
        const records = await this.#reads.from(this.#offset)
        if (this.#stopping) break
        await (records.length > 0 ? this.#foldAll(records) : this.#idle())
      }
      if (this.#isRestored) await this.#settle()
    } catch (failure) {
      if (isBetweenFrames(failure)) await this.#settle()
      throw failure
    } finally {
      unwatch()
      unsubscribe()
      this.#exchange?.leave(this.#listener)
      // Not awaited: the next owner of the task does not depend on it.
      this.#owner.release().catch(() => {})
    }
  }
  /** Ends the loop after the current record. */
  stop(): void {
    this.#stopping = true
    this.#wake?.()
  }
  /** Grows while the restore or the run progresses; a retry of the log counts as progress. */
  get progress(): number {
    return this.#progress + (this.#log.tries?.() ?? 0)
  }
  /** As in `Work`; null while a commit is in flight, which has its own limits. */
  get steps(): number | null {
    const isAtRest = this.#stopping || this.#inFlight !== undefined || !this.#canGoOn()
    return isAtRest ? null : this.progress + (this.#exchange?.delivered ?? 0)
  }
  /** True if all available input is folded and committed. */
  get isCaughtUp(): boolean {
    return this.#isRestored && !this.#task.isDirty && this.#inFlight === undefined && this.#hasFoldedAll()
  }

  async #foldAll(records: readonly Foreseen[]): Promise<void> {
    for (const record of records) {
      if (this.#stopping) return
      while (!this.#task.step(record)) {
        await this.#awaitFacts()
        if (this.#stopping) return
      }
      this.#waitingSince = undefined
      this.#offset = record.offset + 1
      if (this.#slice.isOver) await this.#yieldToEventLoop()
      if (this.#commitIsDue()) await this.#commit()
    }
  }
  /** A frame needs facts that other tasks have not sent yet: meanwhile they receive this task's facts. */
  async #awaitFacts(): Promise<void> {
    this.#waitingSince ??= this.#slice.pace()
    assert(this.#task.hasRoom, `${this.#task.id} has read ahead more than its limit, but still waits for a batch`)
    if (this.#exchange?.hasMore) return this.#exchange.read()
    const { partition, heldHeader, exchange } = this.#task
    if (heldHeader && this.#exchange?.hasTold(partition, this.#began.exchangeEnd ?? 0)) exchange?.checkOwn(heldHeader)
    await this.#idle()
  }
  /** Yields to the other work of the process, and throws if a commit failed. */
  async #yieldToEventLoop(): Promise<void> {
    await this.#slice.turn()
    if (this.#failure !== undefined) throw this.#failure
  }
  #commitIsDue(): boolean {
    return this.#pace.isDue(this.#standing, this.#inFlight !== undefined)
  }
  get #standing() {
    return { backlogRecords: this.#backlogRecords, waitingSince: this.#waitingSince }
  }
  get #backlogRecords(): number {
    return this.#log.end(this.#task.definition.input, this.#task.partition) - this.#offset
  }
  #hasFoldedAll(): boolean {
    return this.#backlogRecords <= 0
  }
  /** True if there is work to do. Checked right before sleeping, so that no notification in between is missed. */
  #canGoOn(): boolean {
    return this.#waitingSince !== undefined ? !this.#task.isWaiting || this.#exchange?.hasMore === true : !this.#hasFoldedAll()
  }
  get #isAsleepBesideWork(): boolean {
    return this.#wake !== undefined && !this.#stopping && this.#canGoOn()
  }
  #fail(failure: unknown): void {
    this.#failure ??= failure
    this.#wake?.()
  }
  /** After facts that came ahead of the log. */
  #wakeIfFed(): void {
    if (this.#waitingSince !== undefined && !this.#task.isWaiting) this.#wake?.()
  }
  #wakeIfReady(): void {
    if (this.#canGoOn()) this.#wake?.()
  }
  /** Starts a commit; waits only for the previous one, so that folding continues while it is in flight. */
  async #commit(): Promise<void> {
    await this.#inFlight
    if (this.#failure !== undefined) throw this.#failure
    for (const _ of this.#task.packing()) if (this.#slice.isOver) await this.#yieldToEventLoop()
    const canWait = this.#pace.begin(this.#standing, this.#stopping)
    this.#inFlight = this.#write({ ...this.#task.takeCommit(), canWait }).catch((failure: unknown) => {
      this.#inFlight = undefined
      this.#fail(failure)
    })
  }
  async #write(commit: Commit): Promise<void> {
    await this.#retried(commit)
    this.#inFlight = undefined
    this.#wake?.()
  }
  /** Retries transient failures (a full disk) within a limit; folding continues up to its own limit. */
  #retried(commit: Commit): Promise<void> {
    return retryCommit(this.#owner, commit, this.#limits, () => this.#stopping)
  }
  /** Nothing to read: commits what is pending when it is due, else sleeps until the input grows or a commit ends. */
  async #idle(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    if (this.#commitIsDue()) return this.#commit()
    const waits = this.#task.isDirty && this.#inFlight === undefined
    await this.#sleep(waits ? this.#pace.nextAt(this.#standing) - this.#slice.pace() : undefined)
  }
  async #sleep(ms: number | undefined): Promise<void> {
    if (this.#stopping || this.#canGoOn()) return
    await new Promise<void>((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(() => this.#wake?.(), Math.max(0, ms))
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
}
