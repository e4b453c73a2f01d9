// Finds the range of slots in which log and history must agree: committed by the sink, and still retained by both.
import type { ChainDefinition } from '../../../processors/chains/chain.ts'
import type { Topic, Topics } from '../../../schemas/topics.ts'
import type { LogReader } from '../../ports/log.ts'
import { progressIn } from '../../records/progress-in.ts'
import { type Followed, followedIn, type SinkTopics } from '../../sinks/partition-consumer.ts'
import { firstFrom, measureAt, tapeSlot, tapeTime } from '../../sinks/retention/log-times.ts'
import { slotsOf } from './log-rows.ts'

type Chain = Pick<ChainDefinition, 'tape'>

const DAY_S = 86_400
/** Conclusions expire by their own time, which may differ from that of their frame by this many seconds. */
const TIME_SLACK_S = 120
/** At most this many consecutive records of the tape have no slot. */
const SILENT_MAX = 64
const READ = { recordsMax: 1_000, bytesMax: 1024 * 1024 }
const EVERYTHING = Number.MAX_SAFE_INTEGER

export interface CheckBounds {
  /** First and last slot that are compared. */
  readonly from: number
  readonly to: number
  /** Rows of a topic below this slot may have expired from the log, even if the tape goes further back. */
  lowOf(role: Followed): number
}

/**
 * Null if there is nothing to compare, as before the sink's first commit. `committed`: offsets of the sink's newest commit.
 * `historySinceS`: time of the oldest tick of the history, whose rows expire in whole days.
 */
export const boundsOf = async (
  log: LogReader,
  chain: Chain,
  topics: SinkTopics,
  committed: ReadonlyMap<string, number>,
  historySinceS: number,
): Promise<CheckBounds | null> => {
  const to = Math.min(await foldedSlot(log, topics.progress), await committedSlot(log, chain, topics, committed))
  const since = await firstSlotFrom(log, chain, topics.tape, Math.floor(historySinceS / DAY_S) * DAY_S)
  if (to < 0 || since === null) return null
  const lows = new Map<Followed, number>()
  for (const [role, topic] of followedIn(topics)) lows.set(role, await lowOf(log, chain, topics, role, topic))
  const from = Math.max(since, lows.get('tape') ?? 0)
  return from > to ? null : { from, to, lowOf: (role) => lows.get(role) ?? 0 }
}

/** The newest slot that every fold has passed and no fork can roll back; all slots if nothing is folded. */
export const foldedSlot = async (log: LogReader, topic: Topics['progress']): Promise<number> => {
  const newest: (number | undefined)[] = []
  for (let partition = 0; partition < log.partitions(topic); partition++) newest.push(await newestProgress(log, topic, partition))
  if (newest.every((slot) => slot === undefined)) return EVERYTHING
  return Math.min(...newest.map((slot) => slot ?? -1))
}

const newestProgress = async (log: LogReader, topic: Topics['progress'], partition: number): Promise<number | undefined> => {
  const slots = new Map<string, number>()
  for (let at = log.start(topic, partition); ; ) {
    const records = await log.read(topic, partition, at, READ)
    const last = records.at(-1)
    if (last === undefined) break
    for (const record of records) {
      const progress = progressIn(record)
      if (progress !== undefined) slots.set(progress.task, Math.min(progress.number, progress.finalized ?? EVERYTHING))
    }
    at = last.offset + 1
  }
  return slots.size === 0 ? undefined : Math.min(...slots.values())
}

/** The newest slot up to which all rows are in the history; -1 for none. */
const committedSlot = async (log: LogReader, chain: Chain, topics: SinkTopics, committed: ReadonlyMap<string, number>): Promise<number> => {
  let slot = EVERYTHING
  for (const [role, topic] of followedIn(topics)) {
    for (let partition = 0; partition < log.partitions(topic); partition++) {
      const offset = committed.get(`${topic.name}/${partition}`) ?? 0
      if (role === 'tape') slot = Math.min(slot, (await tapeSlotBefore(log, chain, topics.tape, partition, offset)) ?? -1)
      if (offset >= log.end(topic, partition)) continue
      const from = Math.max(offset, log.start(topic, partition))
      const next = await measureAt(log, topic, partition, from, slotsOf(chain)[role])
      if (next !== null) slot = Math.min(slot, next - 1)
    }
  }
  return slot
}

const tapeSlotBefore = async (
  log: LogReader,
  chain: Chain,
  tape: Topics['tape'],
  partition: number,
  offset: number,
): Promise<number | null> => {
  const start = log.start(tape, partition)
  for (let at = offset - 1; at >= start && at >= offset - SILENT_MAX; at--) {
    const [record] = await log.read(tape, partition, at, { recordsMax: 1, bytesMax: 1 })
    const slot = record?.value ? tapeSlot(chain.tape)(record.value) : null
    if (slot !== null) return slot
  }
  return null
}

/** First slot of the tape with this time or a later one; null for an empty tape. */
const firstSlotFrom = async (log: LogReader, chain: Chain, tape: Topics['tape'], timeS: number): Promise<number | null> => {
  const offset = await firstFrom(log, tape, 0, timeS, tapeTime(chain.tape))
  return measureAt(log, tape, 0, offset, tapeSlot(chain.tape))
}

/** The slot from which the log has every record of a topic. */
const lowOf = async (log: LogReader, chain: Chain, { tape }: SinkTopics, role: Followed, topic: Topic): Promise<number> => {
  const firsts: number[] = []
  for (let partition = 0; partition < log.partitions(topic); partition++) {
    const start = log.start(topic, partition)
    if (start > 0) firsts.push((await measureAt(log, topic, partition, start, slotsOf(chain)[role])) ?? EVERYTHING)
  }
  if (firsts.length === 0) return 0
  // The oldest raw record may be the last part of a frame whose other parts have expired.
  if (role === 'raw') return Math.max(...firsts) + 1
  if (role === 'tape') return Math.max(...firsts)
  const oldestS = await measureAt(log, tape, 0, log.start(tape, 0), tapeTime(chain.tape))
  return (oldestS === null ? null : await firstSlotFrom(log, chain, tape, oldestS + TIME_SLACK_S)) ?? EVERYTHING
}
