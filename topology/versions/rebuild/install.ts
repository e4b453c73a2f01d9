// Installs the rows of a rebuild into the real log: writes only the differences, so that an interrupted install can simply be
// repeated.
import type { Topic } from '../../../schemas/topics.ts'
import type { LogReader } from '../../ports/log.ts'
import { recordsOf } from '../../records/records-of.ts'
import type { Chunks } from '../chunks.ts'
import { digestOf } from '../live-records.ts'

/** One partition of a compacted topic, restricted to certain keys. */
export interface Rows {
  readonly topic: Topic
  readonly partition: number
  readonly isWanted: (key: Uint8Array) => boolean
}

const nameOf = (key: Uint8Array): string => Buffer.from(key).toString('latin1')

/** Digests of the newest values, by key: about 150 bytes of memory each. */
const digestsOf = async (log: LogReader, { topic, partition, isWanted }: Rows): Promise<Map<string, string>> => {
  const digests = new Map<string, string>()
  for await (const { key, value } of recordsOf(log, topic, partition)) {
    if (!isWanted(key)) continue
    if (value === null) digests.delete(nameOf(key))
    else digests.set(nameOf(key), digestOf(value))
  }
  return digests
}

/** Makes the rows of `log` equal to those of `made`. */
export const installRows = async (log: LogReader, made: LogReader, rows: Rows, into: Chunks): Promise<void> => {
  const { topic, partition, isWanted } = rows
  const [there, wanted] = [await digestsOf(log, rows), await digestsOf(made, rows)]
  for (const name of there.keys())
    if (!wanted.has(name)) await into.push({ topic, partition, key: Buffer.from(name, 'latin1'), value: null })
  for await (const { key, value } of recordsOf(made, topic, partition)) {
    if (value === null || !isWanted(key)) continue
    const name = nameOf(key)
    const digest = digestOf(value)
    // A staging log may also hold older records of a key.
    if (wanted.get(name) === digest && there.get(name) !== digest) await into.push({ topic, partition, key, value })
  }
}

/** True for keys of a task's undo among its own rows. */
export const isUndoKey = (key: string): boolean => key.includes('/undo/')
