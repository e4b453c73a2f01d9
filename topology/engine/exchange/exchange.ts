// Repartition between keys with an epoch barrier: facts sent in one epoch of a chain apply at the tick that ends the next, in every task.
//
// An epoch is a range of numbers. The first frame of another epoch closes it: each task then sends every task of the chain a batch with its
// facts for that task's keys, even if there are none. Facts are due at the first later frame whose number is at least the last number of
// the next epoch. That frame is folded only when every task has sent its facts, so that a task's input is a function of the chain alone.
// Batches are identified by the frame that closed their epoch on the writer's branch: batches of an orphaned branch are never used. A
// task's facts are a function of the chain as well, so that a batch may be delivered before it is committed: after a crash the task sends
// the identical batch again.
//
// A commit writes a task's facts as one record to its own partition of the topic; every task reads every partition. A writer's records are
// in the order of the frames that closed their epochs, up to a cut; after it come the records of a rebuild, which starts over.

import type { FrameHeader } from '../../../processors/contract.ts'
import { type FactCodecs, factCodecsOf } from '../../../schemas/codecs.ts'
import type { BadData } from '../../../schemas/errors.ts'
import type { Topic } from '../../../schemas/topics.ts'
import type { Chain, Fact } from '../../../schemas/types.ts'
import type { OutRecord } from '../../ports/log.ts'
import { exchangeTorn } from '../failures.ts'
import type { OwnRows } from '../rows/own-rows.ts'
import { type Batch, type Closing, compareFacts, type ExchangeRecord, encodeClosings, type Outlet } from './exchange-record.ts'
import { FactBuffer } from './fact-buffer.ts'

/** Definition of the exchange between the tasks of a chain. */
export interface ExchangeDefinition {
  readonly chain: Chain
  readonly topic: Topic
  /** How many numbers (slots, blocks) an epoch has. */
  readonly framesPerEpoch: number
  /** Length of the receiving keys. */
  readonly keyBytes: number
  /** Number of tasks of the chain: one per partition. */
  readonly partitions: number
  partitionOf(key: string): number
}

/** The exchange as one task sees it. */
export class Exchange {
  readonly #definition: ExchangeDefinition
  readonly #facts: FactCodecs
  readonly #partition: number
  readonly #own: OwnRows
  readonly #outlet: Outlet | undefined
  readonly #buffer: FactBuffer
  /** Due number by closing frame, of epochs whose facts were not applied yet; in closing order. */
  readonly #pending = new Map<number, number>()
  /** Closing frame and the frame that applied its facts, while that frame can be rolled back; oldest first. */
  #applied: (readonly [closedBy: number, appliedBy: number])[] = []
  /** Newest closing frame in the log, by writer. */
  readonly #newest: number[]
  /** Epochs closed since the last commit. */
  #unsent: Closing[] = []
  #sequence = -1
  /** Next offset in the task's own partition. */
  #nextOffset = 0

  constructor(definition: ExchangeDefinition, partition: number, own: OwnRows, outlet?: Outlet) {
    this.#definition = definition
    this.#facts = factCodecsOf(definition.keyBytes)
    this.#partition = partition
    this.#own = own
    this.#outlet = outlet
    this.#buffer = new FactBuffer(definition.partitions)
    this.#newest = new Array(definition.partitions).fill(-1)
  }
  /** Call after a restore: `offset` is where the task continues reading its own partition. */
  begin(offset: number): void {
    this.#nextOffset = offset
    this.rewind(this.#own.cursor?.sequence ?? -1)
  }
  /** Call after a restore and after a rollback: `sequence` is that of the newest folded record. */
  rewind(sequence: number): void {
    this.#sequence = sequence
    const closings = [...this.#own.closings()].sort((a, b) => a.closedBy - b.closedBy)
    this.#pending.clear()
    for (const { closedBy, dueNumber, appliedBy } of closings) if (appliedBy === 0) this.#pending.set(closedBy, dueNumber)
    this.#applied = closings.filter(({ appliedBy }) => appliedBy > 0).map(({ closedBy, appliedBy }) => [closedBy, appliedBy])
    this.#sweep()
  }
  /** Closings before this frame are not needed: their facts are applied and final. */
  get oldestNeeded(): number {
    let oldest = this.#sequence + 1
    for (const { closedBy } of this.#own.closings()) if (closedBy < oldest) oldest = closedBy
    return oldest
  }
  /** True if epochs were closed that no commit contains yet. */
  get hasUnsent(): boolean {
    return this.#unsent.length > 0
  }
  /** Accepts a batch from a task of the same process. A batch that no frame of this branch needs is ignored. */
  offer({ chain, writer, closedBy, facts }: Batch): void {
    if (chain === this.#definition.chain && this.#isWanted(closedBy)) this.#buffer.put(closedBy, writer, facts)
  }
  /** Accepts this task's part of what another process tells ahead of the log. What is not valid is ignored: a commit follows. */
  hear({ read, epochs }: Pick<ExchangeRecord, 'read' | 'epochs'>): void {
    if (!read.ok || read.value.cut || read.value.chain !== this.#definition.chain || read.value.writer === this.#partition) return
    this.#putAll(read.value.writer, epochs)
  }
  /** Accepts this task's part of a log record; returns the fault if it cannot be read. */
  receive({ partition, record, read, epochs, receiver = this.#partition }: ExchangeRecord): BadData | undefined {
    const isOwn = partition === this.#partition
    if (isOwn) this.#nextOffset = record.offset + 1
    if (receiver !== this.#partition) return undefined
    if (!read.ok) return read
    const { chain, writer, cut } = read.value
    if (chain !== this.#definition.chain) return undefined
    if (cut) this.#cut(writer)
    for (const { closedBy } of epochs) {
      this.#newest[writer] = Math.max(this.#newest[writer] ?? -1, closedBy)
      if (isOwn && this.#isWanted(closedBy)) this.#buffer.lies(closedBy, record.offset)
    }
    return this.#putAll(writer, epochs)
  }
  /** True while fewer facts and batches than this are read ahead; those of applied epochs do not count. */
  hasRoom(factsMax: number): boolean {
    const { weight } = this.#buffer
    return weight < factsMax || this.#applied.reduce((ahead, [closedBy]) => ahead - this.#buffer.weightOf(closedBy), weight) < factsMax
  }
  /** Offset in the task's own partition from which a restart finds everything that may still be needed, with the name of that input. */
  get committed(): readonly [input: string, offset: number] {
    return [`${this.#definition.topic.name}/${this.#partition}`, this.#buffer.oldestOffset(this.#nextOffset)]
  }
  /** Writers whose facts the frame needs and that have not sent them yet; empty if one of them never will send them. */
  awaited(header: FrameHeader): readonly number[] {
    const late = this.#late(header)
    return late === undefined || this.#lost(late) !== undefined ? [] : this.#buffer.missing(late)
  }
  /** True while the frame has to wait for facts of other tasks. */
  isWaiting(header: FrameHeader): boolean {
    const late = this.#late(header)
    return late !== undefined && this.#lost(late) === undefined
  }
  /** True if all facts due at the frame are available. @throws EngineError `exchange_torn` if they never can be. */
  isReady(header: FrameHeader): boolean {
    const late = this.#late(header)
    const writer = late === undefined ? undefined : this.#lost(late)
    if (late !== undefined && writer !== undefined) throw exchangeTorn(this.#definition.topic, writer, late)
    return late === undefined
  }
  /** Call once the task's own partition was read to its end. @throws EngineError `exchange_torn` if its own due facts are not in it. */
  checkOwn(header: FrameHeader): void {
    const late = this.#late(header)
    if (late !== undefined && !this.#buffer.holds(late, this.#partition)) throw exchangeTorn(this.#definition.topic, this.#partition, late)
  }
  /** Opens a frame: if it begins another epoch, closes the previous one and sends its facts. */
  enter({ chain, number, sequence }: FrameHeader): void {
    this.#sequence = sequence
    const { cursor } = this.#own
    const epoch = cursor === undefined ? undefined : this.#epochOf(cursor.number)
    if (epoch === undefined || epoch === this.#epochOf(number)) return
    const dueNumber = (epoch + 2) * this.#definition.framesPerEpoch - 1
    this.#own.close(sequence, dueNumber)
    this.#pending.set(sequence, dueNumber)
    this.#sweep()
    this.#close({ chain, writer: this.#partition, epoch, closedBy: sequence })
  }
  /** Records of the epochs closed since the last call. */
  takeRecords(): OutRecord[] {
    if (this.#unsent.length === 0) return []
    const { topic, chain } = this.#definition
    const [unsent, partition, key] = [this.#unsent, this.#partition, Buffer.from(chain)]
    this.#unsent = []
    return encodeClosings(chain, partition, unsent).map((value) => ({ topic, partition, key, value }))
  }
  /** Discards the records that `takeRecords` would return: the tasks of this process already have them. */
  dropRecords(): void {
    this.#unsent = []
  }
  /** Facts due at the frame, in the order in which they apply; marks them as applied. */
  take({ number, sequence }: FrameHeader): readonly Fact[] {
    if (this.#pending.size === 0) return []
    const facts: Fact[] = []
    for (const [closedBy, dueNumber] of this.#pending) {
      if (dueNumber > number || closedBy === sequence) continue
      this.#pending.delete(closedBy)
      this.#own.apply(closedBy, sequence)
      this.#applied.push([closedBy, sequence])
      facts.push(...this.#buffer.facts(closedBy))
    }
    return facts.sort(compareFacts)
  }
  /** Call between frames: drops facts applied before the oldest frame that can be rolled back. */
  settle(oldestUndo: number): void {
    while ((this.#applied[0]?.[1] ?? Number.POSITIVE_INFINITY) < oldestUndo) {
      const [closedBy] = this.#applied.shift() ?? [0]
      this.#own.forget(closedBy)
      this.#buffer.drop(closedBy)
    }
  }
  /** Closing frame of the first due epoch for which a batch is missing. */
  #late({ number }: FrameHeader): number | undefined {
    for (const [closedBy, dueNumber] of this.#pending) if (dueNumber <= number && !this.#buffer.isWhole(closedBy)) return closedBy
    return undefined
  }
  /** A writer that sent a later epoch, but not this one. */
  #lost(closedBy: number): number | undefined {
    for (const [writer, newest] of this.#newest.entries()) if (newest > closedBy && !this.#buffer.holds(closedBy, writer)) return writer
    return undefined
  }
  #epochOf(number: number): number {
    return Math.floor(number / this.#definition.framesPerEpoch)
  }
  #close(head: Omit<Batch, 'facts'>): void {
    const { partitions, partitionOf } = this.#definition
    const facts = new Map<number, Fact[]>()
    for (const fact of this.#own.takeUnsent().sort(compareFacts)) {
      const partition = partitionOf(fact.toKey)
      const ofPartition = facts.get(partition)
      if (ofPartition === undefined) facts.set(partition, [fact])
      else ofPartition.push(fact)
    }
    const closing = { epoch: head.epoch, closedBy: head.closedBy, facts }
    this.#unsent.push(closing)
    const nothing = { ...head, facts: [] }
    for (let partition = 0; partition < partitions; partition++) {
      const ofPartition = facts.get(partition)
      const batch = ofPartition === undefined ? nothing : { ...head, facts: ofPartition }
      if (partition === this.#partition) this.offer(batch)
      else this.#outlet?.handOver(batch, partition)
    }
    this.#outlet?.tell?.(closing)
  }
  /** Keeps this task's part of each epoch that it needs; stops at a fault, which it returns. */
  #putAll(writer: number, epochs: ExchangeRecord['epochs']): BadData | undefined {
    for (const { closedBy, facts } of epochs) {
      if (!this.#isWanted(closedBy) || this.#buffer.holds(closedBy, writer)) continue
      const received = facts(this.#partition, this.#facts)
      if (!received.ok) return received
      this.#buffer.put(closedBy, writer, received.value)
    }
    return undefined
  }
  /** A rebuild starts here: older batches of the writer belong to another version. */
  #cut(writer: number): void {
    this.#newest[writer] = -1
    this.#buffer.dropOf(writer)
  }
  /** False for frames that this task folded and that closed no epoch, or whose epoch is final. */
  #isWanted(closedBy: number): boolean {
    return closedBy > this.#sequence || this.#own.hasClosing(closedBy)
  }
  #sweep(): void {
    this.#buffer.sweep((closedBy) => this.#isWanted(closedBy))
  }
}
