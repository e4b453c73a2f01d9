// Converts the comparator's events file to tape records of mintfold.
import { closeSync, openSync, readSync } from 'node:fs'
import type { Topic } from '../../../schemas/topics.ts'
import { murmur2 } from '../../../topology/engine/partition.ts'
import type { Log, OutRecord } from '../../../topology/ports/log.ts'
import type { FoldEvent } from './processor.ts'
import { type FoldFrame, frameType, PARTITIONS, tapeOf } from './task.ts'

const KEY_BYTES = 44
const EVENT_BYTES = 4 + KEY_BYTES + 135
const READ_EVENTS = 20_000
const COMMIT_RECORDS = 20_000

/** An event with its partition, which is the same as the comparator's. */
export interface Placed {
  readonly slot: number
  readonly partition: number
  readonly event: FoldEvent
}

const u64 = (bytes: Buffer, at: number): number => bytes.readUInt32LE(at + 4) * 2 ** 32 + bytes.readUInt32LE(at)

const placed = (bytes: Buffer, from: number): Placed => {
  const at = from + 4 + KEY_BYTES
  const key = bytes.subarray(from + 4, at)
  const event = {
    kind: bytes[at] as number,
    tx: bytes.readUInt32LE(at + 9),
    ix: bytes.readUInt16LE(at + 13),
    mint: bytes.toString('latin1', at + 15, at + 47),
    wallet: bytes.toString('latin1', at + 47, at + 79),
    tokenAmount: u64(bytes, at + 79),
    lamports: u64(bytes, at + 87),
    virtualSol: u64(bytes, at + 95),
    virtualToken: u64(bytes, at + 103),
    realSol: u64(bytes, at + 111),
    realToken: u64(bytes, at + 119),
    unixMs: u64(bytes, at + 127),
  }
  return { slot: u64(bytes, at + 1), partition: (murmur2(key) & 0x7fffffff) % PARTITIONS, event }
}

/** The first events of the file, at most `eventsMax`. */
export function* readEvents(file: string, eventsMax: number): Iterable<Placed> {
  const descriptor = openSync(file, 'r')
  try {
    for (let read = 0; read < eventsMax; ) {
      const bytes = Buffer.allocUnsafe(Math.min(READ_EVENTS, eventsMax - read) * EVENT_BYTES)
      const got = readSync(descriptor, bytes)
      for (let at = 0; at + EVENT_BYTES <= got; at += EVENT_BYTES, read++) yield placed(bytes, at)
      if (got < bytes.length) return
    }
  } finally {
    closeSync(descriptor)
  }
}

/** Grouping of events in records: all events of a slot and partition in one record, or one event per record. */
export type Layout = 'frames' | 'events'

/** Slots after which a slot is final. */
export const UNDO_SLOTS = 64

/** Turns events into records as they arrive. Before the records of each slot, it states in each partition which slots are final. */
export class TapeWriter {
  readonly #layout: Layout
  readonly #topic: Topic
  #sequence = 0
  #slot = -1
  #time = 0
  #open: FoldEvent[][] = []

  constructor(layout: Layout, tape: string) {
    this.#layout = layout
    this.#topic = tapeOf(tape)
  }
  /**
   * Returns the records that are now complete: at the first event of a slot those of the previous slot and the finality, and in the layout
   * `events` the event's own record.
   */
  put({ slot, partition, event }: Placed): OutRecord[] {
    const done = slot === this.#slot ? [] : [...this.end(), ...this.#finality(slot - UNDO_SLOTS)]
    this.#time = Math.max(this.#time, Math.floor(event.unixMs / 1_000))
    this.#slot = slot
    if (this.#layout === 'events') return [...done, this.#record(partition, [event])]
    if (this.#open.length === 0) this.#open = Array.from({ length: PARTITIONS }, () => [])
    this.#open[partition]?.push(event)
    return done
  }
  /** Closes the slot and returns its records: one for each partition in the layout `frames`, none in `events`. */
  end(): OutRecord[] {
    const records = this.#open.map((events, partition) => this.#record(partition, events))
    this.#open = []
    return records
  }
  #record(partition: number, events: FoldEvent[]): OutRecord {
    if (partition === 0 || this.#layout === 'events') this.#sequence++
    return this.#encoded(partition, events, null)
  }
  #finality(finalized: number): OutRecord[] {
    return Array.from({ length: PARTITIONS }, (_, partition) => this.#encoded(partition, [], finalized))
  }
  #encoded(partition: number, events: FoldEvent[], finalized: number | null): OutRecord {
    const frame: FoldFrame = { sequence: this.#sequence, slot: this.#slot, time: this.#time, events, finalized }
    return { topic: this.#topic, partition, key: Buffer.from('solana'), value: frameType.toBuffer(frame) }
  }
}

export interface LoadOptions {
  readonly tape: string
  readonly layout: Layout
  readonly file: string
  readonly events: number
}

/** Appends the first events of the file; returns the number of records. */
export const loadTape = async (log: Log, { tape, layout, file, events }: LoadOptions): Promise<number> => {
  const owner = await log.own(`load-${tape}`)
  const writer = new TapeWriter(layout, tape)
  let records = 0
  let outputs: OutRecord[] = []
  const commit = async (): Promise<void> => {
    records += outputs.length
    await owner.commit({ outputs, inputs: new Map() })
    outputs = []
  }
  for (const event of readEvents(file, events)) {
    outputs.push(...writer.put(event))
    if (outputs.length >= COMMIT_RECORDS) await commit()
  }
  outputs.push(...writer.end())
  await commit()
  return records
}
