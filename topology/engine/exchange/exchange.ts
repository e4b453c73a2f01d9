// Exchange between keys: what is said in one epoch of a chain applies at the tick that ends the next, in every task alike.
//
// An epoch is a run of numbers. The first frame of another epoch closes it: each task then tells every task of the chain what it has for
// its keys, also that it has nothing. Facts are due at the first later frame whose number is at least the last of the next epoch. That
// frame is folded only when every task has told, so that what a task sees is a function of the chain alone. Batches are told apart by the
// frame that closed their epoch on the writer's branch: those of a dead branch are never asked for. What a task says is itself a function
// of the chain, so that a batch may be handed over before the commit that holds it: after a crash the very same one is said again.
//
// All that a task tells in a commit is one record in its own partition of the topic; everybody reads every partition. A writer's records
// lie there in the order of the frames that closed their epochs, up to a cut, behind which a rebuild begins anew.

import type { FrameHeader } from '../../../processors/contract.ts'
import { type FactCodecs, factCodecsOf } from '../../../schemas/codecs.ts'
import type { BadData } from '../../../schemas/errors.ts'
import { compareText } from '../../../schemas/keys.ts'
import { comparePositions } from '../../../schemas/position.ts'
import type { Topic } from '../../../schemas/topics.ts'
import type { Chain, Fact } from '../../../schemas/types.ts'
import type { OutRecord } from '../../ports/log.ts'
import { exchangeTorn } from '../failures.ts'
import type { OwnRows } from '../rows/own-rows.ts'
import { type Batch, type Closing, type ExchangeRecord, encodeClosings } from './exchange-record.ts'
import { FactBuffer } from './fact-buffer.ts'

/** How the tasks of a chain tell each other facts. */
export interface ExchangeDefinition {
  readonly chain: Chain
  readonly topic: Topic
  /** Numbers (slots, blocks) of an epoch. */
  readonly framesPerEpoch: number
  /** Of the keys that are told. */
  readonly keyBytes: number
  /** Tasks of the chain: one a partition. */
  readonly partitions: number
  partitionOf(key: string): number
}

/** Hands a batch to the task of a partition in the same process. */
export type HandOver = (batch: Batch, partition: number) => void

/** The exchange as one task sees it. */
export class Exchange {
  readonly #definition: ExchangeDefinition
  readonly #facts: FactCodecs
  readonly #partition: number
  readonly #own: OwnRows
  readonly #handOver: HandOver
  readonly #buffer: FactBuffer
  /** Due number by closing frame, of epochs whose facts were not applied; first closed first. */
  readonly #pending = new Map<number, number>()
  /** Closing frame and the frame that applied its facts, of those that may be taken back; oldest first. */
  #applied: (readonly [closedBy: number, appliedBy: number])[] = []
  /** Newest closing frame that the log told of each writer. */
  readonly #newest: number[]
  /** Epochs closed since the last commit. */
  #told: Closing[] = []
  #sequence = -1
  /** Of the task's own partition. */
  #nextOffset = 0

  constructor(definition: ExchangeDefinition, partition: number, own: OwnRows, handOver: HandOver) {
    this.#definition = definition
    this.#facts = factCodecsOf(definition.keyBytes)
    this.#partition = partition
    this.#own = own
    this.#handOver = handOver
    this.#buffer = new FactBuffer(definition.partitions)
    this.#newest = new Array(definition.partitions).fill(-1)
  }
  /** After a restore: `offset` is where the task goes on reading its own partition. */
  begin(offset: number): void {
    this.#nextOffset = offset
    this.rewind(this.#own.cursor?.sequence ?? -1)
  }
  /** After a restore and after frames were taken back: `sequence` is of the newest record folded. */
  rewind(sequence: number): void {
    this.#sequence = sequence
    const closings = [...this.#own.closings()].sort((a, b) => a.closedBy - b.closedBy)
    this.#pending.clear()
    for (const { closedBy, dueNumber, appliedBy } of closings) if (appliedBy === 0) this.#pending.set(closedBy, dueNumber)
    this.#applied = closings.filter(({ appliedBy }) => appliedBy > 0).map(({ closedBy, appliedBy }) => [closedBy, appliedBy])
    this.#sweep()
  }
  /** Closings before this frame are never asked for: their facts are applied for good. */
  get oldestNeeded(): number {
    let oldest = this.#sequence + 1
    for (const { closedBy } of this.#own.closings()) if (closedBy < oldest) oldest = closedBy
    return oldest
  }
  /** True when epochs were closed that no commit tells yet. */
  get hasUntold(): boolean {
    return this.#told.length > 0
  }
  /** Takes a batch that a task of the same process hands over. One that no frame of this branch asks for is passed over. */
  offer({ chain, writer, closedBy, facts }: Batch): void {
    if (chain === this.#definition.chain && this.#isWanted(closedBy)) this.#buffer.put(closedBy, writer, facts)
  }
  /** Takes what a record of the log tells this task, or why it cannot be read. */
  hear({ partition, record, read, epochs, receiver = this.#partition }: ExchangeRecord): BadData | undefined {
    const isOwn = partition === this.#partition
    if (isOwn) this.#nextOffset = record.offset + 1
    if (receiver !== this.#partition) return undefined
    if (!read.ok) return read
    const { chain, writer, cut } = read.value
    if (chain !== this.#definition.chain) return undefined
    if (cut) this.#cut(writer)
    for (const { closedBy, facts } of epochs) {
      this.#newest[writer] = Math.max(this.#newest[writer] ?? -1, closedBy)
      if (!this.#isWanted(closedBy)) continue
      if (isOwn) this.#buffer.lies(closedBy, record.offset)
      if (this.#buffer.holds(closedBy, writer)) continue
      const told = facts(this.#partition, this.#facts)
      if (!told.ok) return told
      this.#buffer.put(closedBy, writer, told.value)
    }
    return undefined
  }
  /** True while fewer facts and batches than this are read ahead; those of applied epochs are not counted. */
  hasRoom(factsMax: number): boolean {
    const { weight } = this.#buffer
    return weight < factsMax || this.#applied.reduce((ahead, [closedBy]) => ahead - this.#buffer.weightOf(closedBy), weight) < factsMax
  }
  /** Where reading the task's own partition again finds everything in it that may still be needed: its name, and the offset. */
  get committed(): readonly [input: string, offset: number] {
    return [`${this.#definition.topic.name}/${this.#partition}`, this.#buffer.oldestOffset(this.#nextOffset)]
  }
  /** Writers that have not told yet what is due at the frame; nobody when one of them never will. */
  awaited(header: FrameHeader): readonly number[] {
    const late = this.#late(header)
    return late === undefined || this.#lost(late) !== undefined ? [] : this.#buffer.missing(late)
  }
  /** True while the frame has to wait for what others tell. */
  isWaiting(header: FrameHeader): boolean {
    const late = this.#late(header)
    return late !== undefined && this.#lost(late) === undefined
  }
  /** True when everything due at the frame is there. @throws EngineError `exchange_torn` when it can never be. */
  isReady(header: FrameHeader): boolean {
    const late = this.#late(header)
    const writer = late === undefined ? undefined : this.#lost(late)
    if (late !== undefined && writer !== undefined) throw exchangeTorn(this.#definition.topic, writer, late)
    return late === undefined
  }
  /** Once the task's own partition was read to its end. @throws EngineError `exchange_torn` when what is due of its own is not in it. */
  checkOwn(header: FrameHeader): void {
    const late = this.#late(header)
    if (late !== undefined && !this.#buffer.holds(late, this.#partition)) throw exchangeTorn(this.#definition.topic, this.#partition, late)
  }
  /** Opens a frame: when it begins another epoch, the one before it is closed and its facts are said. */
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
  /** Records of what was said since the last call. */
  takeRecords(): OutRecord[] {
    if (this.#told.length === 0) return []
    const { topic, chain } = this.#definition
    const [told, partition, key] = [this.#told, this.#partition, Buffer.from(chain)]
    this.#told = []
    return encodeClosings(chain, partition, told).map((value) => ({ topic, partition, key, value }))
  }
  /** Forgets what `takeRecords` would give: the tasks of this process have been given it already. */
  dropRecords(): void {
    this.#told = []
  }
  /** Facts due at the frame, in the order in which they apply; they count as applied. */
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
  /** Between frames: lets go of what was applied before the oldest frame that can be taken back. */
  settle(oldestUndo: number): void {
    while ((this.#applied[0]?.[1] ?? Number.POSITIVE_INFINITY) < oldestUndo) {
      const [closedBy] = this.#applied.shift() ?? [0]
      this.#own.forget(closedBy)
      this.#buffer.drop(closedBy)
    }
  }
  /** Closing frame of the first epoch that is due and that not everybody has told of. */
  #late({ number }: FrameHeader): number | undefined {
    for (const [closedBy, dueNumber] of this.#pending) if (dueNumber <= number && !this.#buffer.isWhole(closedBy)) return closedBy
    return undefined
  }
  /** Who told of a later epoch, and not of this one. */
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
      const told = facts.get(partition)
      if (told === undefined) facts.set(partition, [fact])
      else told.push(fact)
    }
    this.#told.push({ epoch: head.epoch, closedBy: head.closedBy, facts })
    const nothing = { ...head, facts: [] }
    for (let partition = 0; partition < partitions; partition++) {
      const told = facts.get(partition)
      const batch = told === undefined ? nothing : { ...head, facts: told }
      if (partition === this.#partition) this.offer(batch)
      else this.#handOver(batch, partition)
    }
  }
  /** A rebuild begins here: what was read of the writer before is of another make. */
  #cut(writer: number): void {
    this.#newest[writer] = -1
    this.#buffer.dropOf(writer)
  }
  /** Not of a frame that this task folded and that closed no epoch, or whose epoch is settled. */
  #isWanted(closedBy: number): boolean {
    return closedBy > this.#sequence || this.#own.hasClosing(closedBy)
  }
  #sweep(): void {
    this.#buffer.sweep((closedBy) => this.#isWanted(closedBy))
  }
}

/** By where it was said, by whom, and n: no copies, because every fact of an epoch is sorted twice. */
const compareFacts = (a: Fact, b: Fact): number =>
  comparePositions(a, b) || compareText(a.from, b.from) || compareText(a.fromKey, b.fromKey) || a.n - b.n
