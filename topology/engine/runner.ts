// Drives a task over a log: restore, then read -> fold -> commit for ever. The only part of the engine that waits.
import type { FrameHeader } from '../../processors/contract.ts'
import { assert } from '../../schemas/errors.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { ExchangeBatch } from '../../schemas/types.ts'
import type { Commit, Log, LogRecord, TaskOwner } from '../ports/log.ts'
import { baseTurnName } from './bases.ts'
import type { Pending } from './definition.ts'
import type { EngineLimits } from './limits.ts'
import { retried } from './retry.ts'
import { type Pace, Slice } from './slice.ts'
import type { Task } from './task.ts'

/** Runs one task until stopped. A failure ends it: rows in memory may be ahead of the log, so that only a restore may go on. */
export class TaskRunner<Event, Header extends FrameHeader> {
  readonly #log: Log
  readonly #task: Task<Event, Header>
  readonly #limits: EngineLimits
  readonly #pace: Pace
  readonly #slice: Slice
  #owner!: TaskOwner
  #stopping = false
  #wake: (() => void) | undefined
  #inFlight: Promise<void> | undefined
  #failure: unknown
  #lastCommitAt = 0
  #offset = 0
  #exchangeOffset = 0
  /** Since when the next frame waits for what other tasks say. */
  #waitingSince: number | undefined

  /** Runners of one process share a `slice`, which also paces their commits. */
  constructor(log: Log, task: Task<Event, Header>, limits: EngineLimits, slice = new Slice(limits.sliceMs)) {
    this.#log = log
    this.#task = task
    this.#limits = limits
    this.#slice = slice
    this.#pace = slice.pace
  }
  /** Takes the task over and puts its rows back. */
  async restore(): Promise<void> {
    const { input, exchange } = this.#task.definition
    this.#owner = await this.#log.own(this.#task.id)
    this.#offset = this.#committed(input)
    if (exchange !== undefined) this.#exchangeOffset = this.#committed(exchange.topic)
    for (const topic of this.#task.changelogs) for await (const batch of this.#readAll(topic)) this.#task.restore(topic, batch)
    // Rows read after somebody else took the task over are of two owners: a commit of nothing tells.
    await this.#insisted({ outputs: [], inputs: new Map() })
    const baseTurn = this.#committedBase()
    this.#task.begin({ input: this.#offset, exchange: this.#exchangeOffset, baseTurn })
  }
  /** Takes a batch that a task of this process says, ahead of the log. */
  offer(batch: ExchangeBatch): void {
    this.#task.offer(batch)
    if (this.#waitingSince !== undefined) this.#wake?.()
  }
  /** Folds until `stop`; resolves after the last commit. Rejects with what ended it. */
  async run(): Promise<void> {
    const { input, exchange } = this.#task.definition
    const unsubscribe = this.#log.onCommit((topics) => {
      if (topics.has(input.name) || (this.#waitingSince !== undefined && exchange !== undefined && topics.has(exchange.topic.name)))
        this.#wake?.()
    })
    try {
      while (!this.#stopping) {
        if (this.#task.hasRoom) await this.#readExchange()
        const records = await this.#read(input, this.#offset)
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
    return !this.#task.isDirty && this.#inFlight === undefined && this.#hasFoldedAll()
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
    this.#waitingSince ??= this.#pace()
    assert(this.#task.hasRoom, `${this.#task.id} waits for a batch with more read ahead than its limit`)
    if (!(await this.#readExchange())) await this.#idle()
  }
  /** Takes what the log has of the exchange; false when there was nothing. */
  async #readExchange(): Promise<boolean> {
    const topic = this.#task.definition.exchange?.topic
    if (topic === undefined || !this.#hasMoreExchange()) return false
    for (const record of await this.#read(topic, this.#exchangeOffset)) {
      this.#task.stepExchange(record)
      this.#exchangeOffset = record.offset + 1
    }
    return true
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
    const since = this.#pace() - this.#lastCommitAt
    const isPrompt = since >= this.#limits.promptIntervalMs
    if (isFarBehind) return since >= Math.min(catchUpIntervalMs, backlogRecords * catchUpRecordMs) || (isPrompt && this.#waitsLong())
    if (since >= this.#limits.commitIntervalMs) return true
    return isPrompt && (this.#task.hasConclusions || this.#hasFoldedAll() || this.#waitsLong())
  }
  /** A task of the same process tells in no time; one of another needs the commit of what it waits for itself. */
  #waitsLong(): boolean {
    return this.#waitingSince !== undefined && this.#pace() - this.#waitingSince >= this.#limits.promptIntervalMs
  }
  #hasFoldedAll(): boolean {
    return this.#offset >= this.#inputEnd
  }
  get #inputEnd(): number {
    return this.#log.end(this.#task.definition.input, this.#task.partition)
  }
  /** There is more to do than to wait. Asked right before a sleep, so that nothing told in between is missed. */
  #canGoOn(): boolean {
    return this.#waitingSince !== undefined ? !this.#task.isWaiting || this.#hasMoreExchange() : !this.#hasFoldedAll()
  }
  #hasMoreExchange(): boolean {
    const topic = this.#task.definition.exchange?.topic
    return topic !== undefined && this.#exchangeOffset < this.#log.end(topic, this.#task.partition)
  }
  /** Starts a commit; waits only for the one before it, so that folding goes on while it is under way. */
  async #commit(): Promise<void> {
    await this.#inFlight
    if (this.#failure !== undefined) throw this.#failure
    for (const _ of this.#task.packing()) if (this.#slice.isOver) await this.#breathe()
    this.#lastCommitAt = this.#pace()
    this.#inFlight = this.#write(this.#task.takeCommit()).catch((failure: unknown) => {
      this.#failure = failure
      this.#inFlight = undefined
      this.#wake?.()
    })
  }
  async #write(pending: Pending): Promise<void> {
    await this.#insisted(pending)
    this.#inFlight = undefined
    this.#wake?.()
  }
  /** A failure of the world that may pass (a full disk) is waited for, with a limit; folding goes on up to its own. */
  #insisted(commit: Commit): Promise<void> {
    return retried(
      () => this.#owner.commit(commit),
      this.#limits,
      () => this.#stopping,
    )
  }
  /** Nothing to read: commit what there is when its time comes, else sleep until the input grows or a commit ends. */
  async #idle(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    if (this.#commitIsDue()) return this.#commit()
    const waits = this.#task.isDirty && this.#inFlight === undefined
    const from = Math.max(this.#lastCommitAt, this.#waitingSince ?? 0)
    await this.#sleep(waits ? from + this.#limits.promptIntervalMs - this.#pace() : undefined)
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
  #read(topic: Topic, offset: number): Promise<readonly LogRecord[]> {
    const { readRecordsMax: recordsMax, readBytesMax: bytesMax } = this.#limits
    return this.#log.read(topic, this.#task.partition, offset, { recordsMax, bytesMax })
  }
  #committed(topic: Topic): number {
    return this.#owner.committed().get(`${topic.name}/${this.#task.partition}`) ?? this.#log.start(topic, this.#task.partition)
  }
  #committedBase(): number | undefined {
    const { bases } = this.#task.definition
    return bases && this.#owner.committed().get(baseTurnName(bases, this.#task.partition))
  }
  async *#readAll(topic: Topic): AsyncIterable<readonly LogRecord[]> {
    const end = this.#log.end(topic, this.#task.partition)
    for (let offset = this.#log.start(topic, this.#task.partition); offset < end; ) {
      const batch = await this.#read(topic, offset)
      const last = batch.at(-1)
      if (last === undefined) return
      offset = last.offset + 1
      yield batch
    }
  }
}
