// Drives a task over a log: restore, then read -> fold -> commit for ever. With the exchange reader it is all of the engine that waits.
import type { FrameHeader } from '../../processors/contract.ts'
import { assert } from '../../schemas/errors.ts'
import type { Commit, Log, LogRecord, ReadLimits, TaskOwner } from '../ports/log.ts'
import { retryCommit } from '../waiting/retry.ts'
import { restoreRows } from './changelog/restore.ts'
import type { Offsets, Pending, Waits } from './definition.ts'
import { listenerOf } from './exchange/exchange-listener.ts'
import { ExchangeReader, type Listener } from './exchange/exchange-reader.ts'
import type { Batch } from './exchange/exchange-record.ts'
import { isBetweenFrames } from './failures.ts'
import type { EngineLimits } from './limits.ts'
import { watchSleep } from './sleep-watch.ts'
import { Slice } from './slice.ts'
import type { Task } from './task.ts'

/** Runs one task until stopped. A failure ends it: rows in memory may be ahead of the log, so that only a restore may go on. */
export class TaskRunner<Event, Header extends FrameHeader> {
  readonly #log: Log
  readonly #task: Task<Event, Header>
  readonly #limits: EngineLimits
  readonly #readLimits: ReadLimits
  readonly #slice: Slice
  #owner!: TaskOwner
  #stopping = false
  #isRestored = false
  #progress = 0
  #wake: (() => void) | undefined
  #inFlight: Promise<void> | undefined
  #failure: unknown
  #lastCommitAt = 0
  #offset = 0
  #began: Offsets = { input: 0, exchange: 0 }
  /** Since when the next frame waits for what other tasks say. */
  #waitingSince: number | undefined
  readonly #exchange: ExchangeReader | undefined
  readonly #listener: Listener

  /** Runners of one process share a `slice`, which also paces their commits, and those of a chain what reads its `exchange`. */
  constructor(log: Log, task: Task<Event, Header>, limits: EngineLimits, slice = new Slice(limits.sliceMs), exchange?: ExchangeReader) {
    const { exchange: definition } = task.definition
    this.#log = log
    this.#exchange = definition && (exchange ?? new ExchangeReader(log, definition, limits))
    this.#task = task
    this.#limits = limits
    this.#readLimits = { recordsMax: limits.readRecordsMax, bytesMax: limits.readBytesMax }
    this.#slice = slice
    this.#listener = listenerOf(task, { isWaiting: () => this.#waitingSince !== undefined, wake: () => this.#goOn() })
  }
  /** Takes the task over and puts its rows back. A stop ends it between two reads: the task then has half of its rows, and never runs. */
  async restore(): Promise<void> {
    const task = this.#task
    this.#owner = await this.#log.own(task.id)
    this.#progress++
    const offsets = await restoreRows({
      ...{ log: this.#log, task, owner: this.#owner, read: this.#readLimits },
      isStopping: () => this.#stopping,
      progress: () => void this.#progress++,
      commit: (commit) => this.#insisted(commit),
    })
    if (offsets === undefined) return
    this.#offset = offsets.input
    this.#began = offsets
    task.begin(offsets)
    this.#isRestored = true
  }
  /** Takes a batch that a task of this process says, ahead of the log. */
  offer(batch: Batch): void {
    if (!this.#isRestored) return
    this.#task.offer(batch)
    if (this.#waitingSince !== undefined && !this.#task.isWaiting) this.#wake?.()
  }
  /** Which tasks the next frame waits for, and for how long, ms by the pace; nobody while there is something to do. */
  get waits(): Waits {
    return { writers: this.#task.awaits, ms: this.#waitingSince === undefined ? 0 : this.#slice.pace() - this.#waitingSince }
  }
  /** Folds until `stop`; resolves after the last commit. Rejects with what ended it. */
  async run(): Promise<void> {
    assert(this.#isRestored || this.#stopping, `${this.#task.id} runs without its rows`)
    const { input } = this.#task.definition
    const unsubscribe = this.#log.onCommit((topics) => {
      if (this.#waitingSince === undefined && topics.has(input.name)) this.#wake?.()
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
        const records = await this.#log.read(input, this.#task.partition, this.#offset, this.#readLimits)
        if (this.#stopping) break
        if (records.length > 0) await this.#foldAll(records)
        else await this.#idle()
      }
      if (this.#isRestored) await this.#settle()
    } catch (failure) {
      if (isBetweenFrames(failure)) await this.#settle()
      throw failure
    } finally {
      unwatch()
      unsubscribe()
      this.#exchange?.leave(this.#listener)
      // Nobody waits for it: whoever owns the task next needs nothing of it.
      this.#owner.release().catch(() => {})
    }
  }
  /** Asks the loop to end after the record at hand. */
  stop(): void {
    this.#stopping = true
    this.#wake?.()
  }
  /** Grows while the restore gets on, also where that is to try again. */
  get progress(): number {
    return this.#progress + (this.#log.tries?.() ?? 0)
  }
  /** As `Work` has it: a commit under way has limits of its own. */
  get steps(): number | null {
    const isAtRest = this.#stopping || this.#inFlight !== undefined || !this.#canGoOn()
    return isAtRest ? null : this.progress + (this.#exchange?.told ?? 0)
  }
  /** True when all input that is there now is folded and committed. */
  get isCaughtUp(): boolean {
    return this.#isRestored && !this.#task.isDirty && this.#inFlight === undefined && this.#hasFoldedAll()
  }

  async #foldAll(records: readonly LogRecord[]): Promise<void> {
    for (const record of records) {
      if (this.#stopping) return
      while (!this.#task.step(record)) {
        await this.#awaitFacts()
        if (this.#stopping) return
      }
      this.#waitingSince = undefined
      this.#offset = record.offset + 1
      if (this.#slice.isOver) await this.#breathe()
      if (this.#commitIsDue()) await this.#commit()
    }
  }
  /** A frame needs what others have not said yet: meanwhile they get what this task has said. */
  async #awaitFacts(): Promise<void> {
    this.#waitingSince ??= this.#slice.pace()
    assert(this.#task.hasRoom, `${this.#task.id} waits for a batch with more read ahead than its limit`)
    if (this.#exchange?.hasMore) return this.#exchange.read()
    const { partition, heldHeader, exchange } = this.#task
    if (heldHeader && this.#exchange?.hasTold(partition, this.#began.exchangeEnd ?? 0)) exchange?.checkOwn(heldHeader)
    await this.#idle()
  }
  /** Gives way to whoever shares the process, and notices a commit that failed. */
  async #breathe(): Promise<void> {
    await this.#slice.turn()
    if (this.#failure !== undefined) throw this.#failure
  }
  #commitIsDue(): boolean {
    if (!this.#task.isDirty) return false
    const { commitEventsMax, aheadEventsMax, catchUpEventsMax, backlogRecordsMax, catchUpRecordMs, catchUpIntervalMs } = this.#limits
    const backlogRecords = this.#inputEnd - this.#offset
    // What a commit would show is old news: catching up goes first.
    const isFarBehind = backlogRecords > backlogRecordsMax
    if (this.#inFlight !== undefined) return this.#task.pendingEvents >= (isFarBehind ? catchUpEventsMax : aheadEventsMax)
    if (this.#task.pendingEvents >= (isFarBehind ? catchUpEventsMax : commitEventsMax)) return true
    const since = this.#slice.pace() - this.#lastCommitAt
    const isPrompt = since >= this.#limits.promptIntervalMs
    // However far behind: tasks elsewhere may have nothing to do until they are told.
    if (isPrompt && this.#tellsOthers()) return true
    if (isFarBehind) return since >= Math.min(catchUpIntervalMs, backlogRecords * catchUpRecordMs) || (isPrompt && this.#waitsLong())
    if (since >= this.#limits.commitIntervalMs) return true
    return isPrompt && (this.#task.hasConclusions || this.#hasFoldedAll() || this.#waitsLong())
  }
  /** A task of the same process tells in no time; one of another needs the commit of what it waits for itself. */
  #waitsLong(): boolean {
    return this.#waitingSince !== undefined && this.#slice.pace() - this.#waitingSince >= this.#limits.promptIntervalMs
  }
  /** Epochs were closed, and tasks of other processes learn of it by a commit alone. */
  #tellsOthers(): boolean {
    return this.#task.exchange?.hasUntold === true && this.#exchange?.isWhole === false
  }
  #hasFoldedAll(): boolean {
    return this.#offset >= this.#inputEnd
  }
  get #inputEnd(): number {
    return this.#log.end(this.#task.definition.input, this.#task.partition)
  }
  /** There is more to do than to wait. Asked right before a sleep, so that nothing told in between is missed. */
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
  #goOn(): void {
    if (this.#canGoOn()) this.#wake?.()
  }
  /** Starts a commit; waits only for the one before it, so that folding goes on while it is under way. */
  async #commit(): Promise<void> {
    await this.#inFlight
    if (this.#failure !== undefined) throw this.#failure
    for (const _ of this.#task.packing()) if (this.#slice.isOver) await this.#breathe()
    this.#lastCommitAt = this.#slice.pace()
    this.#inFlight = this.#write(this.#task.takeCommit()).catch((failure: unknown) => {
      this.#inFlight = undefined
      this.#fail(failure)
    })
  }
  async #write(pending: Pending): Promise<void> {
    await this.#insisted(pending)
    this.#inFlight = undefined
    this.#wake?.()
  }
  /** A failure of the world that may pass (a full disk) is waited for, with a limit; folding goes on up to its own. */
  #insisted(commit: Commit): Promise<void> {
    return retryCommit(this.#owner, commit, this.#limits, () => this.#stopping)
  }
  /** Nothing to read: commit what there is when its time comes, else sleep until the input grows or a commit ends. */
  async #idle(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    if (this.#commitIsDue()) return this.#commit()
    const waits = this.#task.isDirty && this.#inFlight === undefined
    const from = this.#tellsOthers() ? this.#lastCommitAt : Math.max(this.#lastCommitAt, this.#waitingSince ?? 0)
    await this.#sleep(waits ? from + this.#limits.promptIntervalMs - this.#slice.pace() : undefined)
  }
  async #sleep(ms: number | undefined): Promise<void> {
    if (this.#stopping || this.#canGoOn()) return
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
}
