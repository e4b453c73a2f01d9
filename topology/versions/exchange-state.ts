// What a rebuild takes over of the exchange between keys, and what it puts in its place. No other file here knows how it lies on the log.
import { exchangeCodec } from '../../schemas/codecs.ts'
import { TOPICS } from '../../schemas/topics.ts'
import { batchesOf } from '../engine/exchange.ts'
import type { Log, LogReader } from '../ports/log.ts'
import { type Base, offsetIn } from './bases-of.ts'
import { Chunks } from './chunks.ts'
import { recordsOf } from './records-of.ts'

/**
 * Gives the task of a copy what other tasks sent before their own copies: they do not send it again. A writer's batches come in
 * the order of the frames that closed their epochs.
 */
export const seedExchange = async (log: LogReader, scratch: Log, base: Base, bases: readonly Base[]): Promise<void> => {
  const { partition } = base
  const chunks = new Chunks(await scratch.own(`seed-${partition}`))
  const sent = new Map(bases.map((one) => [one.partition, one.mark.sequence]))
  const waiting = new Set(sent.keys())
  for await (const { key, value } of recordsOf(log, TOPICS.exchange, partition, { from: offsetIn(base, TOPICS.exchange) })) {
    const read = value === null ? undefined : exchangeCodec.decode(value)
    if (read?.ok !== true) continue
    for (const batch of batchesOf(read.value))
      if (batch.closedBy <= (sent.get(batch.writer) ?? -1))
        await chunks.push({ topic: TOPICS.exchange, partition, key, value: exchangeCodec.encode(batch) })
      else waiting.delete(batch.writer)
    if (waiting.size === 0) break
  }
  await chunks.end()
}

/**
 * Appends the batches that the rebuilt task is still to read, so that the next offset to read is the one that the log ends with now. Of
 * those before none is the rebuild's.
 */
export const installExchange = async (
  log: LogReader,
  scratch: LogReader,
  partition: number,
  next: number,
  into: Chunks,
): Promise<number> => {
  const from = log.end(TOPICS.exchange, partition)
  for await (const { key, value } of recordsOf(scratch, TOPICS.exchange, partition, { from: next }))
    await into.push({ topic: TOPICS.exchange, partition, key, value })
  return from
}
