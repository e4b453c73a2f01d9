// Reads the canonical branch of a data directory: the same for a run with forks and for one without.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { conclusionCodec, rawRecordCodec, tapeRecordCodec } from '../../schemas/codecs.ts'
import type { Parsed } from '../../schemas/errors.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { Conclusion, RawFrame, RawRecord, TapeBatch, TapeRecord } from '../../schemas/types.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import type { Log } from '../../topology/ports/log.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import { CONCLUDED, TOPICS } from '../fixtures/topics.ts'
import { cardsOf, readAll, standingConclusions } from '../live.ts'
import { storeOf } from './compare.ts'

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
