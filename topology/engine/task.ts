// A task: the processors of a chain over one partition. `step` folds a record, `takeCommit` returns what to commit; no I/O, no clock.
import type { At, FrameHeader } from '../../processors/contract.ts'
import { assert, bad } from '../../schemas/errors.ts'
import { tickOf } from '../../schemas/position.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { Fact } from '../../schemas/types.ts'
import type { LogRecord, OutRecord } from '../ports/log.ts'
import { Bases } from './changelog/bases.ts'
import { Changelogs } from './changelog/changelogs.ts'
import type { FinalityUpdate, FrameBatch, Input, InputReader, Offsets, Pending, TaskDefinition } from './definition.ts'
import { Exchange } from './exchange/exchange.ts'
import type { ExchangeRecord, Outlet } from './exchange/exchange-record.ts'
import { Fold } from './fold.ts'
import { type EngineLimits, FACT_BYTES } from './limits.ts'
import { IN_MEMORY } from './rows/memory-pages.ts'
import { OwnRows } from './rows/own-rows.ts'
import type { Store } from './rows/store.ts'
import { TimerHeap } from './timers.ts'
import type { Foreseen } from './undo/foreseen.ts'
import { Journal, type Revert } from './undo/journal.ts'
import { rollBack } from './undo/undo.ts'
import { restoreUndo } from './undo/undo-record.ts'

/** Runs processors over one partition. Callers: `restore`, `begin`, then `step` in offset order; `takeCommit` between steps. */
export class Task<Event, Header extends FrameHeader> {
  readonly id: string
  readonly partition: number
  readonly definition: TaskDefinition<Event, Header>
  readonly #limits: EngineLimits
  readonly #journal: Journal
  readonly #timers: TimerHeap
  readonly #own: OwnRows
  readonly exchange: Exchange | undefined
  /** Sorted by processor name: the order in which they receive an event. */
  readonly #folds: readonly Fold<Event, Header>[]
  readonly #stores: ReadonlyMap<string, Store>
  readonly #changelogs: Changelogs
  readonly #bases: Bases | undefined
  readonly #read: InputReader<Event, Header>
  #held: ReturnType<InputReader<Event, Header>>
  /** See `Foreseen`, of the record that is folded. */
  #finalTo = -1
  #outputs: OutRecord[] = []
  #offset = 0
  #moved = false
  #events = 0
  #conclusions = 0

  constructor(definition: TaskDefinition<Event, Header>, partition: number, limits: EngineLimits, outlet?: Outlet, pages = IN_MEMORY) {
    this.id = `${definition.name}-${partition}`
    this.partition = partition
    this.definition = definition
    this.#limits = limits
    this.#journal = new Journal(limits)
    this.#timers = new TimerHeap(pages.open())
    const stored = { journal: this.#journal, hotFrames: limits.hotFrames, pages }
    this.#own = new OwnRows(this.id, stored, definition.exchange?.keyBytes ?? 0)
    this.exchange = definition.exchange && new Exchange(definition.exchange, partition, this.#own, outlet)
    const parts = { stored, timers: this.#timers, send: (fact: Fact) => this.#send(fact) }
    this.#folds = [...definition.folds].sort((a, b) => (a.processor.name < b.processor.name ? -1 : 1)).map((fold) => new Fold(fold, parts))
    this.#stores = new Map([this.#own.store, ...this.#folds.map(({ store }) => store)].map((store) => [store.name, store]))
    const folds = this.#folds.map(({ store, definition: { processor, changelog } }) => ({ store, changelog, version: processor.version }))
    const logged = [{ store: this.#own.store, changelog: definition.changelog, version: 0 }, ...folds] as const
    this.#changelogs = new Changelogs({ id: this.id, partition, journal: this.#journal, stores: logged })
    this.#bases = definition.bases && new Bases(definition.bases, this, logged, limits)
    this.#read = definition.open()
  }
  /** Rows of a processor. */
  store(processor: string): Store {
    const store = this.#stores.get(processor)
    assert(store !== undefined, `no processor of ${this.id} is called ${processor}`)
    return store
  }
  /** Events folded since the last commit. */
  get pendingEvents(): number {
    return this.#events
  }
  /** True if an output worth a prompt commit was produced since the last commit. */
  get hasConclusions(): boolean {
    return this.#conclusions > 0
  }
  get isDirty(): boolean {
    return this.#moved
  }
  get isWaiting(): boolean {
    return this.heldHeader !== undefined && this.exchange?.isWaiting(this.heldHeader) === true
  }
  /** Partitions whose tasks the current frame waits for. */
  get awaits(): readonly number[] {
    return (this.heldHeader && this.exchange?.awaited(this.heldHeader)) ?? []
  }
  /** True while more of the exchange may be read ahead. */
  get hasRoom(): boolean {
    return this.exchange?.hasRoom(this.#limits.exchangeFactsMax) === true
  }
  /** Topics from which the rows are restored. */
  get changelogs(): readonly Topic[] {
    return this.#changelogs.topics
  }
  /** Restores rows from records, in changelog order of each topic. Call `begin` after the last. */
  restore(topic: Topic, records: Iterable<Pick<LogRecord, 'key' | 'value'>>): void {
    const fold = this.#folds.find(({ definition }) => definition.changelog === topic)
    if (fold === undefined) this.#own.restore(records)
    else for (const record of records) fold.store.restore(record)
  }
  /** Starts at offsets: checks the rows, restores the undo and rebuilds the timers. @throws EngineError `rows_torn` */
  begin({ input, exchange, baseTurn = -1, records = new Map() }: Offsets): void {
    restoreUndo(this.#changelogs.checked(this.#own.putBack(), records), this.#journal, (store) => this.store(store).type)
    this.#journal.finalize(this.#own.standing.finalized ?? -1)
    this.#timers.rebuild(this.#stores.values())
    this.exchange?.begin(exchange)
    this.#offset = input
    this.#bases?.begin(baseTurn)
  }
  /**
   * Folds one record. Returns false if the facts that its frame needs are not available yet: then nothing changed; call again with the same
   * record. Bad data becomes a dead letter; a throw is a bug, a fork deeper than the undo or a torn exchange, and ends the task.
   */
  step(record: Foreseen): boolean {
    this.#held ??= record.fault === undefined ? this.#read(record) : bad('bad_encoding', record.fault)
    if (this.heldHeader && this.exchange?.isReady(this.heldHeader) === false) return false
    const read = this.#held
    this.#held = undefined
    this.#finalTo = record.finalTo ?? -1
    if (read === undefined) return true
    if (read.ok) this.take(read.value)
    else this.#outputs.push(...this.definition.reject(record, read, { topic: this.definition.input, partition: this.partition }))
    this.#offset = record.offset + 1
    this.#moved = true
    return true
  }
  /** Accepts one record of the exchange, from any partition. */
  stepExchange(parsed: ExchangeRecord): void {
    const { exchange, reject } = this.definition
    const { record, partition } = parsed
    const fault = this.exchange?.receive(parsed)
    if (exchange && fault) this.#outputs.push(...reject(record, fault, { topic: exchange.topic, partition }))
  }
  /** Folds one input: for drivers that have inputs instead of records. */
  take(input: Input<Event, Header>): void {
    if (input.type === 'frame') this.fold(input.frame)
    else if (input.type === 'revert') this.revert(input.revert)
    else this.finality(input.finality)
  }
  /** Folds one frame. */
  fold({ header: incoming, events }: FrameBatch<Event, Header>): void {
    const [header, cursor, since] = [this.#own.withGap(incoming), this.#own.cursor, this.#own.sinceOf(incoming)]
    this.#moved = true
    this.#journal.begin(header, cursor && { number: cursor.number, hash8: cursor.hash8 }, header.final || header.number <= this.#finalTo)
    this.#own.store.beginFrame()
    for (const fold of this.#folds) fold.beginFrame(header.number !== cursor?.number)
    this.exchange?.enter(header)
    for (const event of events) {
      const at = { position: this.definition.positionOf(event, header), header, since }
      for (const fold of this.#folds) fold.apply(event, at)
    }
    this.#tick({ position: tickOf(header.chain, header.number), header, since })
    this.#own.move(header)
    this.#journal.end(this.#collect(header))
    this.exchange?.settle(this.#journal.oldest)
    this.#events += events.length
  }
  /** Rolls back every frame after the one that `revert` names. @throws EngineError `undo_exhausted` before anything is changed. */
  revert(revert: Revert): void {
    const dead = rollBack(revert, this.#own.cursor, this.#journal, (group) => {
      const store = this.store(group.store)
      for (const timer of store.putBack(group)) this.#timers.push(timer)
    })
    this.exchange?.rewind(revert.sequence)
    if (dead.length > 0) this.#own.standAfterFork(revert.number)
    this.#moved = true
    this.#conclusions += 1
    this.#outputs.push(...this.definition.retract(revert, dead, this.partition))
  }
  /** Applies the chain's finality. Changes no row of a processor. */
  finality(finality: FinalityUpdate): void {
    this.#own.stand({ confirmed: finality.confirmed, finalized: finality.finalized })
    this.#journal.finalize(finality.finalized)
    this.exchange?.settle(this.#journal.oldest)
    this.#moved = true
    this.#outputs.push(...(this.definition.passOn?.(finality, this.partition) ?? []))
  }
  /** Outputs since the last call, without rows and without facts already delivered: for drivers that keep no changelog. */
  takeOutputs(): readonly OutRecord[] {
    for (const store of this.#stores.values()) store.dropDirty()
    this.exchange?.dropRecords()
    return this.#drainOutputs()
  }
  /** Packs for `takeCommit` in steps, so that the caller can spread the work. No record may be folded before the last step. */
  packing = (): Iterable<void> => this.#changelogs.packing()
  /** Everything written since the last call, as one commit. Call between steps. */
  takeCommit(): Pending {
    const { definition, partition } = this
    for (const _ of this.packing());
    const [events, outputs] = [this.#events, this.#drainOutputs()]
    const written = this.#changelogs.take(outputs)
    const { cursor, standing } = this.#own
    if (cursor !== undefined && definition.progress) outputs.push(definition.progress({ cursor, standing }, partition))
    const inputs = new Map([[`${definition.input.name}/${partition}`, this.#offset]])
    if (this.exchange !== undefined) inputs.set(...this.exchange.committed)
    if (cursor !== undefined) this.#bases?.take({ cursor, inputs, written, undo: () => this.#changelogs.copiedUndo() }, outputs)
    for (const count of this.#changelogs.counts(this.#offset)) inputs.set(...count)
    return { outputs, inputs, events }
  }
  /** Header of the frame that waits for facts. */
  get heldHeader(): Header | undefined {
    return this.#held?.ok === true && this.#held.value.type === 'frame' ? this.#held.value.frame.header : undefined
  }
  #tick(at: At<Header>): void {
    const facts = this.exchange?.take(at.header) ?? []
    this.#journal.charge(facts.length * FACT_BYTES)
    for (const fact of facts) this.#fold(fact.to).onFact(fact, at)
    for (let fired = 0; ; ) {
      const timer = this.#timers.popDue(at.header.time)
      if (timer === undefined) return
      assert(fired < this.#limits.timersPerTickMax, `timers of ${timer.key} fire without end at ${at.header.number}`)
      if (this.#fold(timer.store).onTime(timer, at)) fired++
    }
  }
  /** Collects the outputs of the frame; returns the names of their topics. */
  #collect(header: Header): readonly string[] {
    const topics = new Set<string>()
    for (const fold of this.#folds) {
      this.#conclusions += fold.outputCount
      for (const record of fold.collect(header, this.partition)) {
        this.#outputs.push(record)
        if (this.#journal.keeps) topics.add(record.topic.name)
      }
    }
    return [...topics]
  }
  #send(fact: Fact): void {
    assert(this.exchange !== undefined, `${this.id} has no exchange`)
    this.#fold(fact.to)
    this.#own.addUnsent(fact)
  }
  #fold(processor: string): Fold<Event, Header> {
    const fold = this.#folds.find(({ store }) => store.name === processor)
    assert(fold !== undefined, `no processor of ${this.id} is called ${processor}`)
    return fold
  }
  #drainOutputs(): OutRecord[] {
    const outputs = this.#outputs.concat(this.exchange?.takeRecords() ?? [])
    this.#outputs = []
    this.#events = 0
    this.#conclusions = 0
    this.#moved = false
    return outputs
  }
}
