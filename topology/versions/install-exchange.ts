// What the tasks of a rebuild told each other and may need again, into the real log.
import { TOPICS } from '../../schemas/topics.ts'
import { encodeCut, readExchange } from '../engine/exchange-record.ts'
import { findStart } from '../engine/exchange-start.ts'
import type { Log } from '../ports/log.ts'
import type { Chunks } from './chunks.ts'
import type { Rebuild } from './rebuild.ts'
import { recordsOf } from './records-of.ts'

/** The oldest closing frame whose facts some task of the rebuild may still need. */
export const oldestNeededIn = async (scratch: Log, { wiring }: Pick<Rebuild, 'wiring'>): Promise<number> => {
  const partitions = scratch.partitions(TOPICS.exchange)
  const { name } = wiring.folds(partitions)
  let oldest = Number.POSITIVE_INFINITY
  for (let partition = 0; partition < partitions; partition++) {
    const from = (await scratch.own(`${name}-${partition}`)).committed().get(`${TOPICS.exchange.name}/${partition}`)
    for await (const record of recordsOf(scratch, TOPICS.exchange, partition, from === undefined ? {} : { from })) {
      oldest = Math.min(oldest, readExchange(partition, record).epochs[0]?.closedBy ?? oldest)
      break
    }
  }
  return oldest
}

/** Behind a cut: nothing of those before is this make's. */
export const installExchange = async (scratch: Log, partition: number, oldestNeeded: number, chunks: Chunks): Promise<void> => {
  const key = Buffer.from('solana')
  await chunks.push({ topic: TOPICS.exchange, partition, key, value: encodeCut('solana', partition) })
  const to = scratch.end(TOPICS.exchange, partition)
  const from = await findStart(scratch, TOPICS.exchange, partition, oldestNeeded, to)
  for await (const { key, value } of recordsOf(scratch, TOPICS.exchange, partition, { from, to }))
    await chunks.push({ topic: TOPICS.exchange, partition, key, value })
}
