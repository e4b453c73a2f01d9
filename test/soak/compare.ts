// Reads the contents of logs and data directories as text, to compare them with those of another run.

import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { conclusionCodec, exchangeCodec, rawRecordCodec, tapeRecordCodec } from '../../schemas/codecs.ts'
import type { Parsed } from '../../schemas/errors.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { Conclusion, RawFrame, RawRecord, TapeBatch, TapeRecord } from '../../schemas/types.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { Task } from '../../topology/engine/task.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import type { Log, LogRecord } from '../../topology/ports/log.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import { ownRowLines } from '../fixtures/own-rows.ts'
import { CONCLUDED, TOPICS } from '../fixtures/topics.ts'
import { cardsOf, readAll, standingConclusions } from '../live.ts'

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
const batchTexts = ({ value }: LogRecord): string[] => {
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

/** Rows of a processor in all partitions, as a restore reads them. */
const storeOf = async (log: Log, processor: 'mint' | 'creator'): Promise<string[]> => {
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

export interface CanonicalContents {
  /**
   * As text by name. Left out, because forks change it: sequence numbers (orphaned frames and records about them take some), the counts of
   * forks and flags, rollback data (`task.changelog`), and what names frames by sequence (`exchange`).
   */
  readonly contents: Readonly<Record<string, readonly string[]>>
  /** Number of forks seen. */
  readonly forks: number
  /** Findings that were retracted and not emitted again. */
  readonly retracted: readonly string[]
  /** Those of `retracted` that a view no longer knows. */
  readonly forgotten: readonly string[]
}

export const livingOf = async (dataDir: string, partitions: number): Promise<CanonicalContents> => {
  const log = await openLmdbLog({ dir: join(dataDir, 'log'), partitions })
  const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  try {
    await view.start()
    const contents: Record<string, readonly string[]> = { ...(await branchOf(log)), ...shownBy(view) }
    for (const processor of ['mint', 'creator'] as const) contents[`${processor} store`] = await storeOf(log, processor)
    const retracted = new Set<string>()
    for (let partition = 0; partition < partitions; partition++) {
      for (const topic of CONCLUDED)
        contents[`${topic.name}/${partition}`] = standingConclusions(await allConclusionsOn(log, topic, partition))
      for (const id of rolledBack(await allConclusionsOn(log, TOPICS.flags, partition))) retracted.add(id)
    }
    const forgotten = [...retracted].filter((id) => view.retracted(id) === undefined)
    return { contents, forks: view.status().counters.forks, retracted: [...retracted].sort(), forgotten }
  } finally {
    await view.stop()
    await log.close()
  }
}

const given = <Value>(parsed: Parsed<Value>): Value => {
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.value
}

/** Canonical frames, on raw and on the tape. */
const branchOf = async (log: Log): Promise<Record<string, readonly string[]>> => {
  const frames: RawFrame[] = []
  for (const { value } of await readAll(log, TOPICS.raw)) {
    const { body }: RawRecord = given(rawRecordCodec.decode(value ?? new Uint8Array()))
    if (body.type === 'frame') frames.push(body)
    else if (body.type === 'revert') frames.splice(frames.findLastIndex(({ hash }) => hash === body.hash) + 1)
  }
  const branch: Record<string, readonly string[]> = { raw: frames.map(frameText) }
  for (let partition = 0; partition < log.partitions(TOPICS.tape); partition++) {
    const batches: TapeBatch[] = []
    for (const { value } of await readAll(log, TOPICS.tape, partition)) {
      const record: TapeRecord = given(tapeRecordCodec.decode(value ?? new Uint8Array()))
      if (record.type === 'batch') batches.push(record)
      else if (record.type === 'revert') batches.splice(batches.findLastIndex(({ hash8 }) => hash8 === record.hash8) + 1)
    }
    branch[`tape/${partition}`] = batches.map(({ sequence: _number, ...batch }) => JSON.stringify(batch))
  }
  return branch
}

const frameText = ({ body, ...head }: RawFrame): string =>
  JSON.stringify({ ...head, body: createHash('sha256').update(body).digest('hex') })

const allConclusionsOn = async (log: Log, topic: Topic, partition: number): Promise<Conclusion[]> =>
  (await readAll(log, topic, partition)).map(({ value }) => given(conclusionCodec.decode(value ?? new Uint8Array())))

const rolledBack = (conclusions: readonly Conclusion[]): string[] => {
  const standing = new Set(standingConclusions(conclusions).map((text) => (JSON.parse(text) as Conclusion).id))
  return conclusions.filter(({ id, body }) => body.type === 'finding' && !standing.has(id)).map(({ id }) => id)
}

const shownBy = (view: LogMintView): Record<string, readonly string[]> => {
  const { folded, gap, observedSince, tracked, counters } = view.status()
  return {
    cards: cardsOf(view.launchesSince(0), folded?.time ?? 0, gap),
    flagged: Array.from(view.flagsSince(0), (flag) => JSON.stringify(flag)),
    view: [JSON.stringify({ folded, gap, observedSince, tracked, finality: view.finality(), ...counters, forks: 0, flags: 0 })],
  }
}
