// Reads the contents of a log as text by topic, to compare a log on Kafka with one in memory.
import { exchangeCodec, rawRecordCodec } from '../../schemas/codecs.ts'
import type { Topic } from '../../schemas/topics.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { Task } from '../../topology/engine/task.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import type { Log, LogRecord } from '../../topology/ports/log.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import { CONCLUDED, TOPICS } from '../fixtures/topics.ts'
import { cardsOf } from '../live.ts'

export type Compared = Readonly<Record<string, readonly string[]>>

const READ = { recordsMax: 10_000, bytesMax: 16 * 1024 * 1024 }
/** Topics whose records are compared in order. */
const ORDERED: readonly Topic[] = [TOPICS.raw, TOPICS.tape, ...CONCLUDED, TOPICS.deadLetters]

/**
 * Contents of a log: the records of `ORDERED` in their order, the epochs of the exchange, the newest row of each key in the stores of mints
 * and creators, and what the view shows (cards, flags, status). What may differ between correct runs is left out:
 * - offsets, because transactions leave holes;
 * - anchors (raw records that tie stream time to wall time) and the topic `sources`: both have the wall time of a start;
 * - how epochs are grouped into records of the exchange: each epoch is compared by itself;
 * - older rows of a key, which the changelogs keep until compaction;
 * - the topics `progress` and `owners`.
 */
export const comparedOf = async (log: Log): Promise<Compared> => {
  const found: Record<string, readonly string[]> = {}
  for (const topic of ORDERED)
    for (let partition = 0; partition < log.partitions(topic); partition++)
      found[`${topic.name}/${partition}`] = (await recordsOf(log, topic, partition))
        .filter((record) => !isAnchor(topic, record))
        .map(textOf)
  for (let partition = 0; partition < log.partitions(TOPICS.exchange); partition++) {
    found[`exchange/${partition}`] = (await recordsOf(log, TOPICS.exchange, partition)).flatMap(batchTexts).sort()
    Object.assign(found, await storesOf(log, partition))
  }
  const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  await view.start()
  const { folded, gap, counters } = view.status()
  found.cards = cardsOf(view.launchesSince(0), folded?.time ?? 0, gap)
  found.view = [JSON.stringify({ folded, gap, counters, finality: view.finality() })]
  found.flagged = Array.from(view.flagsSince(0), (flag) => JSON.stringify(flag))
  await view.stop()
  return found
}

const recordsOf = async (log: Log, topic: Topic, partition: number): Promise<LogRecord[]> => {
  const records: LogRecord[] = []
  for (let offset = log.start(topic, partition); ; ) {
    const batch = await log.read(topic, partition, offset, READ)
    const last = batch.at(-1)
    if (last === undefined) return records
    records.push(...batch)
    offset = last.offset + 1
  }
}

const textOf = ({ key, value }: LogRecord): string => `${Buffer.from(key).toString('hex')} ${Buffer.from(value ?? []).toString('hex')}`

/** The epochs of an exchange record, one text each: how many epochs are in one record depends on the time of its commit. */
export const batchTexts = ({ value }: LogRecord): string[] => {
  const read = exchangeCodec.decode(value ?? Buffer.alloc(0))
  return read.ok ? read.value.closings.map((closing) => JSON.stringify([read.value.writer, closing])) : [JSON.stringify(read)]
}

const isAnchor = (topic: Topic, { value }: LogRecord): boolean => {
  if (topic !== TOPICS.raw || value === null) return false
  const read = rawRecordCodec.decode(value)
  return read.ok && read.value.body.type === 'anchor'
}

/** Rows of the mint and creator stores of a partition, as a restore reads them. */
const storesOf = async (log: Log, partition: number): Promise<Compared> => {
  const task = new Task(LAUNCH_RISK.folds(log.partitions(TOPICS.tape)), partition, DEFAULT_LIMITS)
  for (const topic of task.changelogs) task.restore(topic, await recordsOf(log, topic, partition))
  task.begin({ input: 0, exchange: 0 })
  return Object.fromEntries(
    ['mint', 'creator'].map((processor) => [
      `${processor} store/${partition}`,
      task
        .store(processor)
        .snapshot()
        .map(({ key, value }) => `${key.toString('hex')} ${value?.toString('hex')}`),
    ]),
  )
}

/** Characters shown of a differing line before the first difference. */
const BEFORE_CHARACTERS = 60
const SHOWN_CHARACTERS = 200

/** One line for each name whose contents differ, with the first difference. */
export const differencesOf = (found: Compared, expected: Compared): string[] =>
  [...new Set([...Object.keys(found), ...Object.keys(expected)])].flatMap((name) => {
    const [left, right] = [found[name] ?? [], expected[name] ?? []]
    const at = Array.from({ length: Math.max(left.length, right.length) }, (_, i) => i).find((i) => left[i] !== right[i])
    return at === undefined ? [] : [`${name}: ${left.length} against ${right.length}; ${at} is ${apart(left[at] ?? '', right[at] ?? '')}`]
  })

const apart = (left: string, right: string): string => {
  let from = 0
  while (from < left.length && left[from] === right[from]) from++
  const shown = (text: string): string => text.slice(Math.max(0, from - BEFORE_CHARACTERS), from + SHOWN_CHARACTERS)
  return `${shown(left)}, not ${shown(right)}, from character ${from}`
}
