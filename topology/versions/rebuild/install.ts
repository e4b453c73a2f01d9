// Installs the rows of a rebuild into the real log: writes only the differences, so that an interrupted install can simply be
// repeated.
import type { Topic } from '../../../schemas/topics.ts'
import type { LogReader } from '../../ports/log.ts'
import { recordsOf } from '../../records/records-of.ts'
import type { Chunks } from '../chunks.ts'
import type { ReadOn } from './read-on.ts'

/** One partition of a compacted topic, restricted to certain keys. */
export interface Rows {
  readonly topic: Topic
  readonly partition: number
  readonly isWanted: (key: Uint8Array) => boolean
}

/** The log, the staging log of a rebuild, and what was read of both. */
export interface BothSides {
  readonly log: ReadOn
  readonly made: ReadOn
  readonly staging: LogReader
}

/** Makes the rows of the log equal to those of the rebuild. */
export const installRows = async ({ log, made, staging }: BothSides, rows: Rows, into: Chunks): Promise<void> => {
  const { topic, partition, isWanted } = rows
  const [there, wanted] = [await log.rows(topic, partition), await made.rows(topic, partition)]
  for (const name of there.keys()) {
    const key = Buffer.from(name, 'latin1')
    if (!wanted.has(name) && isWanted(key)) await into.push({ topic, partition, key, value: null })
  }
  const differing = new Set<number>()
  for (const [name, { offset, digest }] of wanted)
    if (there.get(name)?.digest !== digest && isWanted(Buffer.from(name, 'latin1'))) differing.add(offset)
  if (differing.size === 0) return
  let from = Number.POSITIVE_INFINITY
  for (const offset of differing) from = Math.min(from, offset)
  for await (const { key, value, offset } of recordsOf(staging, topic, partition, { from }))
    if (differing.has(offset)) await into.push({ topic, partition, key, value })
}

/** True for keys of a task's undo among its own rows. */
export const isUndoKey = (key: string): boolean => key.includes('/undo/')
