// Rebuilds from the log, with the sink's own code, the rows that the history should have, in steps: each step ends at a slot.
import type { ChainDefinition } from '../../../processors/chains/chain.ts'
import { conclusionCodec, deadLetterCodec, rawRecordCodec } from '../../../schemas/codecs.ts'
import { assert } from '../../../schemas/errors.ts'
import type { Topics } from '../../../schemas/topics.ts'
import type { HistoryTables } from '../../history/rows/history-tables.ts'
import { RowBatch } from '../../history/rows/row-batch.ts'
import { readRows, type WireRow } from '../../history/rows/row-reader.ts'
import type { LogReader, LogRecord } from '../../ports/log.ts'
import { recordsOf } from '../../records/records-of.ts'
import { consumersOf, type Followed, type PartitionConsumer, type SinkTopics } from '../../sinks/partition-consumer.ts'
import { deadLetterSlot, type Measure, tapeSlot } from '../../sinks/retention/log-times.ts'
import type { SunkTopology } from '../../sinks/sink-topology.ts'
import { readStores } from '../../versions/stores-record.ts'
import { type CheckedTable, checkedTables } from './tables.ts'

/** Limits of one read: at most this much of a partition is held beyond the requested slot. */
const PAGE_RECORDS = 256
const PAGE_BYTES = 4 * 1024 * 1024
/** A fork retracts rows: rows are compared once the log is read this many times the deepest fork's depth beyond them. */
const FORKS_AHEAD = 4

const rawSlot: Measure = (value) => {
  const read = rawRecordCodec.decode(value)
  return read.ok && read.value.body.type === 'frame' ? read.value.body.number : null
}
const conclusionSlot: Measure = (value) => {
  const read = conclusionCodec.decode(value)
  return read.ok ? read.value.number : null
}
/** Reads the slot of a record, by topic. */
export const slotsOf = ({ tape }: Pick<ChainDefinition, 'tape'>): Readonly<Record<Followed, Measure>> => ({
  raw: rawSlot,
  tape: tapeSlot(tape),
  flags: conclusionSlot,
  outcomes: conclusionSlot,
  judgements: conclusionSlot,
  odds: conclusionSlot,
  deadLetters: deadLetterSlot,
  // Unordered: read before everything else.
  corrections: () => null,
})

const CONCLUDED: ReadonlySet<Followed> = new Set(['flags', 'outcomes', 'judgements', 'odds'])

/** True for a record that a rebuild wrote, out of order. */
const isRevision = (role: Followed, { value }: LogRecord): boolean => {
  if (value === null) return false
  if (role === 'corrections') return true
  if (CONCLUDED.has(role)) {
    const read = conclusionCodec.decode(value)
    return read.ok && read.value.body.type === 'revision'
  }
  const read = role === 'deadLetters' ? deadLetterCodec.decode(value) : undefined
  return read?.ok === true && read.value.revision > 0
}

interface Held {
  readonly row: WireRow
  readonly slot: number | null
  readonly version: number
  readonly isDeleted: boolean
}

/** The topics that the history is made of, and the topic that records rebuilds. */
export type VerifiedTopics = SinkTopics & Pick<Topics, 'stores'>

/** A chain that has a history to compare. */
export interface VerifiedTopology extends Pick<SunkTopology, 'chain' | 'sinks'> {
  readonly operations: { readonly verify: { readonly reads: VerifiedTopics } }
}

/** The history of a chain. */
export interface VerifiedChain {
  readonly chain: ChainDefinition
  readonly topics: VerifiedTopics
  readonly tables: HistoryTables
  /** The tables that are compared with the log. */
  readonly checked: readonly CheckedTable[]
}

export const verifiedChain = ({ chain, sinks, operations }: VerifiedTopology): VerifiedChain => {
  const { tables } = sinks.clickhouse
  return { chain, tables, topics: operations.verify.reads, checked: checkedTables(tables) }
}

/** Rows by table, then by identity. */
export type RowsByTable = ReadonlyMap<CheckedTable, ReadonlyMap<string, WireRow>>

interface Reader {
  readonly consumer: PartitionConsumer
  /** First offset that the sink has not committed. */
  readonly end: number
  readonly slot: Measure
  /** Newest slot read. */
  seen: number
}

export class LogRows {
  readonly #chain: ChainDefinition
  readonly #log: LogReader
  readonly #topics: VerifiedTopics
  readonly #readers: readonly Reader[]
  readonly #aheadSlots: number
  #hasRevisions = false
  readonly #tables: HistoryTables
  readonly #held: ReadonlyMap<CheckedTable, Map<string, Held>>
  #rows = 0

  /** `settled`: offsets of the sink's newest commit, by `topic/partition`. */
  constructor(log: LogReader, { chain, topics, tables, checked }: VerifiedChain, settled: ReadonlyMap<string, number>) {
    this.#chain = chain
    this.#tables = tables
    this.#held = new Map(checked.map((table) => [table, new Map()]))
    this.#aheadSlots = FORKS_AHEAD * chain.forkNumbersMax
    this.#log = log
    this.#topics = topics
    const slots = slotsOf(chain)
    this.#readers = consumersOf(log, topics, new Map(), chain).map((consumer) => ({
      consumer,
      end: settled.get(consumer.name) ?? 0,
      slot: slots[consumer.role],
      seen: -1,
    }))
  }
  /** Number of rows held. */
  get rows(): number {
    return this.#rows
  }
  /** Reads about `frames` more frames; returns the slot up to which rows may be taken. `last`: nothing beyond it is needed. */
  async advance(frames: number, last: number): Promise<number> {
    if (!this.#hasRevisions) await this.#holdRevisions()
    const clock = this.#readers.find(({ consumer }) => consumer.role === 'tape')
    assert(clock !== undefined, 'the tape is followed')
    for (let read = 0; read < frames && clock.seen < last + this.#aheadSlots; ) {
      const records = await this.#page(clock)
      if (records === 0) break
      read += records
    }
    const isOver = clock.consumer.offset >= clock.end || clock.seen >= last + this.#aheadSlots
    const until = isOver ? last : Math.min(last, clock.seen - this.#aheadSlots)
    for (const reader of this.#readers) while (reader.seen <= until + this.#aheadSlots && (await this.#page(reader)) > 0);
    return until
  }
  /** Takes the rows up to a slot that `advance` returned: the newest version of each identity, unless that is a deletion. */
  take(until: number): RowsByTable {
    return this.#taken((slot) => slot !== null && slot <= until)
  }
  /** Takes the rows without a slot. */
  takeRest(): RowsByTable {
    return this.#taken((slot) => slot === null)
  }

  /** Records of rebuilds follow all others of their topic, so they are read first. */
  async #holdRevisions(): Promise<void> {
    this.#hasRevisions = true
    if (((await readStores(this.#log, this.#topics.stores, this.#chain.name))?.revision ?? 0) === 0) return
    for (const consumer of consumersOf(this.#log, this.#topics, new Map(), this.#chain)) {
      const { role, topic, partition, name } = consumer
      const to = this.#readers.find((reader) => reader.consumer.name === name)?.end ?? 0
      const batch = new RowBatch(this.#tables)
      for await (const record of recordsOf(this.#log, topic, partition, { to })) if (isRevision(role, record)) consumer.take(record, batch)
      this.#hold(batch)
    }
  }
  #taken(isWanted: (slot: number | null) => boolean): RowsByTable {
    const taken = new Map<CheckedTable, Map<string, WireRow>>()
    for (const [table, held] of this.#held) {
      const rows = new Map<string, WireRow>()
      for (const [identity, { row, slot, isDeleted }] of held) {
        if (!isWanted(slot)) continue
        held.delete(identity)
        this.#rows--
        if (!isDeleted) rows.set(identity, row)
      }
      taken.set(table, rows)
    }
    return taken
  }
  /** Returns the number of records read; 0 at the end. */
  async #page(reader: Reader): Promise<number> {
    const { consumer, end, slot } = reader
    if (consumer.offset >= end) return 0
    const limits = { recordsMax: Math.min(PAGE_RECORDS, end - consumer.offset), bytesMax: PAGE_BYTES }
    const records = await this.#log.read(consumer.topic, consumer.partition, consumer.offset, limits)
    const batch = new RowBatch(this.#tables)
    for (const record of records) {
      if (isRevision(consumer.role, record)) {
        consumer.offset = record.offset + 1
        continue
      }
      consumer.take(record, batch)
      while (consumer.isRollingBack) await consumer.rollBack(batch)
    }
    this.#hold(batch)
    for (const record of records)
      if (!isRevision(consumer.role, record)) reader.seen = Math.max(reader.seen, (record.value && slot(record.value)) ?? -1)
    return records.length
  }
  #hold(batch: RowBatch): void {
    const bodies = new Map(batch.take().map(({ table, body }) => [table, body]))
    for (const [table, held] of this.#held) {
      const body = bodies.get(table.name)
      const rows = body === undefined ? [] : readRows(table, body)
      assert(rows !== undefined, `rows of ${table.name} that were just written must be readable`)
      for (const row of rows) {
        const identity = table.identityOf(row)
        const version = Number(row.value('version'))
        const known = held.get(identity)
        if (known !== undefined && known.version > version) continue
        if (known === undefined) this.#rows++
        held.set(identity, { row, slot: table.slotOf(row), version, isDeleted: row.value('is_deleted') === true })
      }
    }
  }
}
