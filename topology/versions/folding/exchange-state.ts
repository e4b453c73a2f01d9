// The part of the exchange that a rebuild takes over, and the part that it installs. Only this file of the folder knows the exchange's
// layout on the log.
import { exchangeCodec } from '../../../schemas/codecs.ts'
import type { Topics } from '../../../schemas/topics.ts'
import type { Chain, ExchangeBatch } from '../../../schemas/types.ts'
import { encodeCut, readExchange } from '../../engine/exchange/exchange-record.ts'
import { findStart } from '../../engine/exchange/exchange-start.ts'
import type { LogReader, OutRecord } from '../../ports/log.ts'
import { recordsOf } from '../../records/records-of.ts'
import type { Chunks } from '../chunks.ts'
import { type Base, offsetIn } from './bases-of.ts'

type Exchange = Topics['exchange']

/**
 * Oldest closing frame whose facts a task may still need. `from`: by partition, the offset where its task continues (undefined: the start).
 */
export const oldestNeededFrom = async (log: LogReader, topic: Exchange, from: readonly (number | undefined)[]): Promise<number> => {
  let oldest = Number.POSITIVE_INFINITY
  for (const [partition, offset] of from.entries())
    for await (const record of recordsOf(log, topic, partition, offset === undefined ? {} : { from: offset })) {
      const { epochs } = readExchange(partition, record)
      if (epochs.length === 0) continue
      oldest = Math.min(oldest, ...epochs.map(({ closedBy }) => closedBy))
      break
    }
  return oldest
}

/**
 * Seeds the exchange of tasks that start from copies, one per partition, with the facts sent before these copies: the tasks do not send
 * them again. A writer's epochs are in the order of the frames that closed them.
 */
export const seedExchange = async (
  log: LogReader,
  topic: Exchange,
  bases: readonly Base[],
  into: (partition: number) => Promise<Chunks>,
): Promise<void> => {
  const copiedUpTo = new Map(bases.map(({ partition, mark }) => [partition, mark.sequence]))
  const from = bases.map(({ partition }) => partition).sort((a, b) => a - b)
  const oldest = await oldestNeededFrom(
    log,
    topic,
    from.map((partition) => bases.filter((base) => base.partition === partition).map((base) => offsetIn(base, topic))[0]),
  )
  for (const partition of from) {
    const end = log.end(topic, partition)
    const start = await findStart(log, topic, partition, oldest, end)
    const chunks = await into(partition)
    for await (const { key, value } of recordsOf(log, topic, partition, { from: start, to: end })) {
      const read = value === null ? undefined : exchangeCodec.decode(value)
      if (read?.ok !== true) continue
      const kept = sentBefore(read.value, copiedUpTo)
      if (kept !== undefined) await chunks.push({ topic, partition, key, value: exchangeCodec.encode(kept) })
      if (isPast(read.value, copiedUpTo)) break
    }
    await chunks.end()
  }
}

/** The record reduced to the epochs that its writer closed up to its copy; undefined if no epoch is left. */
const sentBefore = (record: ExchangeBatch, copiedUpTo: ReadonlyMap<number, number>): ExchangeBatch | undefined => {
  if (record.cut) return record
  const upTo = copiedUpTo.get(record.writer) ?? -1
  const isSent = ({ closedBy }: { readonly closedBy: number }): boolean => closedBy <= upTo
  if (record.closings.length > 0) {
    const closings = record.closings.filter(isSent)
    return closings.length === 0 ? undefined : { ...record, closings }
  }
  // The older layout: epochs of one writer, the newest stored separately from the earlier ones.
  const [newest, ...before] = [record, ...[...record.earlier].reverse()].filter(isSent)
  return newest && { ...record, epoch: newest.epoch, closedBy: newest.closedBy, facts: newest.facts, earlier: before.reverse() }
}

const isPast = ({ cut, writer, closings }: ExchangeBatch, copiedUpTo: ReadonlyMap<number, number>): boolean =>
  !cut && closings.length > 0 && closings.every(({ closedBy }) => closedBy > (copiedUpTo.get(writer) ?? -1))

interface Installed {
  readonly chain: Chain
  readonly topic: Exchange
  readonly partition: number
  readonly oldestNeeded: number
}

/**
 * Appends a cut, because earlier records are not part of the rebuild, and the facts of the rebuild's tasks that may still be needed, from
 * the staging log. Returns the offset from which to read the partition.
 */
export const installExchange = async (
  log: LogReader,
  staging: LogReader,
  { chain, topic, partition, oldestNeeded }: Installed,
  into: (record: OutRecord) => Promise<void>,
): Promise<number> => {
  const from = log.end(topic, partition)
  await into({ topic, partition, key: Buffer.from(chain), value: encodeCut(chain, partition) })
  const to = staging.end(topic, partition)
  const start = await findStart(staging, topic, partition, oldestNeeded, to)
  for await (const { key, value } of recordsOf(staging, topic, partition, { from: start, to })) await into({ topic, partition, key, value })
  return from
}
