// Exchange between keys: what is said in one epoch of a chain applies at the tick that ends the next, in every task alike.
//
// An epoch is a run of numbers. The first frame of another epoch closes it: each task then says one batch to every task. Its facts are
// due at the first later frame whose number is at least the last of the next epoch. That frame is folded only when the batch of every
// task is there, so that what a task sees is a function of the chain alone. Batches are told apart by the frame that closed their epoch
// on the writer's branch: those of a dead branch are never asked for. What a task says is itself a function of the chain, so that a batch
// may be handed over before the commit that holds it: after a crash the very same one is said again. A commit puts all that was said to a
// partition since the one before into one record.

import type { FrameHeader } from '../../processors/contract.ts'
import { exchangeCodec } from '../../schemas/codecs.ts'
import { EngineError } from '../../schemas/errors.ts'
import { compareText } from '../../schemas/keys.ts'
import { type Chain, comparePositions } from '../../schemas/position.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { ExchangeBatch, Fact } from '../../schemas/types.ts'
import type { OutRecord } from '../ports/log.ts'
import { FactBuffer } from './fact-buffer.ts'
import { EXCHANGE_RECORD_FACTS_MAX } from './limits.ts'
import type { OwnRows } from './own-rows.ts'

/** How the tasks of a chain tell each other facts. */
export interface ExchangeDefinition {
  readonly chain: Chain
  readonly topic: Topic
  /** Numbers (slots, blocks) of an epoch. */
  readonly framesPerEpoch: number
  /** Tasks of the chain: one a partition. */
  readonly partitions: number
  partitionOf(key: string): number
}

/** Hands a batch to the task of a partition in the same process. */
export type HandOver = (batch: ExchangeBatch, partition: number) => void

/** The batches of a record one by one, in the order in which their epochs were closed. */
export const batchesOf = ({ earlier, ...newest }: ExchangeBatch): readonly ExchangeBatch[] => [
  ...earlier.map((epoch) => ({ ...newest, ...epoch, earlier: [] })),
  { ...newest, earlier: [] },
]

/** The exchange as one task sees it. */
export class Exchange {
  readonly #definition: ExchangeDefinition
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
  /** Said since the last commit, by partition. */
  readonly #told: ExchangeBatch[][]
  #sequence = -1

  constructor(definition: ExchangeDefinition, partition: number, own: OwnRows, handOver: HandOver) {
    this.#definition = definition
    this.#partition = partition
    this.#own = own
    this.#handOver = handOver
    this.#buffer = new FactBuffer(definition.partitions)
    this.#newest = new Array(definition.partitions).fill(-1)
    this.#told = Array.from({ length: definition.partitions }, () => [])
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
  /** Takes batches, from the log at `offset` or handed over. One that no frame of this branch asks for is passed over. */
  offer(record: ExchangeBatch, offset: number | undefined): void {
    if (record.chain !== this.#definition.chain) return
    if (record.earlier.length === 0) this.#put(record, offset)
    else for (const batch of batchesOf(record)) this.#put(batch, offset)
  }
  #put(batch: ExchangeBatch, offset: number | undefined): void {
    if (offset !== undefined) this.#newest[batch.writer] = Math.max(this.#newest[batch.writer] ?? -1, batch.closedBy)
    if (this.#isWanted(batch.closedBy)) this.#buffer.put(batch, offset)
  }
  /** True while fewer facts and batches than this are read ahead; those of applied epochs are not counted. */
  hasRoom(factsMax: number): boolean {
    const { weight } = this.#buffer
    return weight < factsMax || this.#applied.reduce((ahead, [closedBy]) => ahead - this.#buffer.weightOf(closedBy), weight) < factsMax
  }
  /** Where reading the log again finds everything that may still be needed. */
  oldestOffset(next: number): number {
    return this.#buffer.oldestOffset(next)
  }
  /** True when everything due at the frame is there. @throws EngineError `exchange_torn` when it can never be. */
  isReady({ number }: FrameHeader): boolean {
    for (const [closedBy, dueNumber] of this.#pending) {
      if (dueNumber > number) continue
      const writer = this.#buffer.missing(closedBy)
      if (writer === undefined) continue
      if ((this.#newest[writer] ?? -1) > closedBy) throw torn(this.#definition.topic, writer, closedBy)
      return false
    }
    return true
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
    this.#close({ chain, writer: this.#partition, epoch, closedBy: sequence, earlier: [] })
  }
  /** Records of what was said since the last call. */
  takeRecords(): OutRecord[] {
    const { topic, chain } = this.#definition
    const key = Buffer.from(chain)
    return this.#told.flatMap((batches, partition) =>
      recordsOf(batches.splice(0)).map((record) => ({ topic, partition, key, value: exchangeCodec.encode(record) })),
    )
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
  #epochOf(number: number): number {
    return Math.floor(number / this.#definition.framesPerEpoch)
  }
  #close(head: Omit<ExchangeBatch, 'facts'>): void {
    const { partitions, partitionOf } = this.#definition
    const facts = Array.from({ length: partitions }, (): Fact[] => [])
    for (const fact of this.#own.takeUnsent().sort(compareFacts)) facts[partitionOf(fact.toKey)]?.push(fact)
    for (const [partition, told] of facts.entries()) {
      const batch = { ...head, facts: told }
      this.#told[partition]?.push(batch)
      if (partition === this.#partition) this.offer(batch, undefined)
      else this.#handOver(batch, partition)
    }
  }
  /** Not of a frame that this task folded and that closed no epoch, or whose epoch is settled. */
  #isWanted(closedBy: number): boolean {
    return closedBy > this.#sequence || this.#own.hasClosing(closedBy)
  }
  #sweep(): void {
    this.#buffer.sweep((closedBy) => this.#isWanted(closedBy))
  }
}

/** As few records as the limit of facts allows; one batch is never split. */
const recordsOf = (batches: readonly ExchangeBatch[]): ExchangeBatch[] => {
  const records: ExchangeBatch[] = []
  let [first, facts] = [0, 0]
  for (const [n, batch] of batches.entries()) {
    facts += batch.facts.length
    const next = batches[n + 1]
    if (next !== undefined && facts + next.facts.length <= EXCHANGE_RECORD_FACTS_MAX) continue
    records.push({ ...batch, earlier: batches.slice(first, n) })
    first = n + 1
    facts = 0
  }
  return records
}

/** By where it was said, by whom, and n: no copies, because every fact of an epoch is sorted twice. */
const compareFacts = (a: Fact, b: Fact): number =>
  comparePositions(a, b) || compareText(a.from, b.from) || compareText(a.fromKey, b.fromKey) || a.n - b.n

const torn = ({ name }: Topic, writer: number, closedBy: number): EngineError =>
  new EngineError(
    'exchange_torn',
    `task ${writer} never told the facts of the epoch that frame ${closedBy} closed: rebuild from the tape: mintfold dead-letters redrive`,
    {
      facts: { topic: name, writer, closedBy },
    },
  )
