// Reads the contents of a data directory (log and stores) that must equal those of another run.
import { join } from 'node:path'
import { rawRecordCodec } from '../../schemas/codecs.ts'
import type { Topic } from '../../schemas/topics.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { Task } from '../../topology/engine/task.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import type { Log, LogRecord } from '../../topology/ports/log.ts'
import { ownRowLines } from '../fixtures/own-rows.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { readAll } from '../live.ts'
import { batchTexts } from './kafka-compare.ts'

/**
 * Contents of a data directory, as text by topic. Left out, because runs may differ in it: anchors (they contain the wall time of a start),
 * offsets and removed keys of compacted topics (they depend on how often a row was written), the order of rows in a changelog page (stores
 * are compared sorted instead), which batch of the exchange came first, and which frames share a record of undo.
 */
export const contentsOf = async (dataDir: string, partitions: number): Promise<Record<string, readonly string[]>> => {
  const log = await openLmdbLog({ dir: join(dataDir, 'log'), partitions })
  try {
    const contents: Record<string, readonly string[]> = { mints: await storeOf(log, 'mint'), creators: await storeOf(log, 'creator') }
    for (const topic of Object.values(TOPICS) as readonly Topic[]) {
      if (topic === TOPICS.mintChangelog || topic === TOPICS.creatorChangelog) continue
      const isLeftOut = (record: LogRecord): boolean => (topic.cleanup === 'compact' ? record.value === null : isAnchor(topic, record))
      const records = (await readAll(log, topic)).filter((record) => !isLeftOut(record))
      const isOwn = topic === TOPICS.taskChangelog || topic === TOPICS.decodeTaskChangelog
      const lines = topic === TOPICS.exchange ? records.flatMap(batchTexts) : isOwn ? [...ownRowLines(records)] : records.map(textOf)
      contents[topic.name] = topic.cleanup === 'compact' || topic === TOPICS.exchange ? lines.sort() : lines
    }
    return contents
  } finally {
    await log.close()
  }
}

const textOf = ({ key, value }: LogRecord): string => `${Buffer.from(key).toString('hex')} ${Buffer.from(value ?? []).toString('hex')}`

const isAnchor = (topic: Topic, { value }: LogRecord): boolean => {
  if (topic !== TOPICS.raw || value === null) return false
  const read = rawRecordCodec.decode(value)
  return read.ok && read.value.body.type === 'anchor'
}

/** Rows of a processor in all partitions, as a restore reads them. */
export const storeOf = async (log: Log, processor: 'mint' | 'creator'): Promise<string[]> => {
  const changelog = processor === 'mint' ? TOPICS.mintChangelog : TOPICS.creatorChangelog
  const task = new Task(LAUNCH_RISK.folds(1), 0, DEFAULT_LIMITS)
  task.restore(changelog, await readAll(log, changelog))
  task.begin({ input: 0, exchange: 0 })
  return task
    .store(processor)
    .snapshot()
    .map(({ key, value }) => `${key.toString('hex')} ${value?.toString('hex')}`)
}

/** One line for each topic that differs. */
export const differences = (a: Record<string, readonly string[]>, b: Record<string, readonly string[]>): string[] =>
  Object.keys(a).flatMap((name) => {
    const [left, right] = [a[name] ?? [], b[name] ?? []]
    if (left.length !== right.length) return [`${name}: ${left.length} records, not ${right.length}`]
    const at = left.findIndex((line, i) => line !== right[i])
    return at < 0 ? [] : [`${name}: record ${at} differs: ${left[at]?.slice(0, 200)}, not ${right[at]?.slice(0, 200)}`]
  })
