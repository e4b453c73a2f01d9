// Runs the production folds over an in-process log and reads back all their conclusions: the "live" side of comparisons.
import { type Codec, conclusionCodec, rawRecordCodec, tapeRecordCodec } from '../schemas/codecs.ts'
import { type Key, toBase58 } from '../schemas/keys.ts'
import { tapeKeyOf } from '../schemas/tape-key.ts'
import type { Topic } from '../schemas/topics.ts'
import type { Conclusion, RawRecord, TapeBatch, TapeEvent } from '../schemas/types.ts'
import type { EngineLimits } from '../topology/engine/limits.ts'
import { createPartitioner } from '../topology/engine/partition.ts'
import { LAUNCH_RISK } from '../topology/launch-risk.ts'
import type { Log, LogRecord, OutRecord } from '../topology/ports/log.ts'
import type { MintSnapshot } from '../topology/ports/mint-view.ts'
import { startFolds } from '../topology/runtime/runtime.ts'
import { LogMintView } from '../topology/views/mint-view.ts'
import { CONCLUDED, TOPICS } from './fixtures/topics.ts'
import { mintEvidence } from './shipped.ts'

/** All results of a run that a caller can see, as comparable text. */
export interface RunResults {
  readonly conclusions: readonly string[]
  readonly cards: readonly string[]
}

const ALL = { recordsMax: 100_000, bytesMax: 1 << 30 }

/** Every record of a topic, or of one partition, partition by partition. */
export const readAll = async (log: Log, topic: Topic, only?: number): Promise<LogRecord[]> => {
  const records: LogRecord[] = []
  for (let partition = only ?? 0; partition < (only === undefined ? log.partitions(topic) : only + 1); partition++)
    for (let offset = log.start(topic, partition); offset < log.end(topic, partition); ) {
      const batch = await log.read(topic, partition, offset, ALL)
      const last = batch.at(-1)
      if (last === undefined) break
      records.push(...batch)
      offset = last.offset + 1
    }
  return records
}

/** Copies the records of these topics to another log with as many partitions, so that several tests can share one fold. */
export const copyTo = async (target: Log, source: Log, topics: readonly Topic[]): Promise<void> => {
  const owner = await target.own('test-copy')
  for (const topic of topics)
    for (let partition = 0; partition < source.partitions(topic); partition++) {
      const records = await readAll(source, topic, partition)
      await owner.commit({ outputs: records.map(({ key, value }) => ({ topic, partition, key, value })), inputs: new Map() })
    }
}

/** Appends records as capture does; `first` is the sequence number of the first record. */
export const appendRaw = async (log: Log, bodies: readonly RawRecord['body'][], first: number): Promise<void> => {
  const owner = await log.own('test-capture')
  const outputs = bodies.map((body, i) => ({
    topic: TOPICS.raw,
    partition: 0,
    key: Buffer.from('solana'),
    value: rawRecordCodec.encode({ sequence: first + i, body }),
  }))
  await owner.commit({ outputs, inputs: new Map() })
}

/** Appends a tape as the decoder does. */
export const appendTape = async (log: Log, tape: readonly TapeBatch[]): Promise<void> => {
  const owner = await log.own('test-decoder')
  const partitions = log.partitions(TOPICS.tape)
  const partitionOf = createPartitioner(partitions, (key) => toBase58(key as Key))
  const outputs: OutRecord[] = []
  for (const batch of tape) {
    const parts = Array.from({ length: partitions }, (): TapeEvent[] => [])
    for (const event of batch.events) (parts[partitionOf(tapeKeyOf(event))] as TapeEvent[]).push(event)
    for (const [partition, events] of parts.entries())
      outputs.push({ topic: TOPICS.tape, partition, key: Buffer.from('solana'), value: tapeRecordCodec.encode({ ...batch, events }) })
  }
  await owner.commit({ outputs, inputs: new Map() })
}

/** The conclusion as JSON; bigints, the amounts of the alt chain beyond JSON numbers, become text. */
export const conclusionText = (conclusion: Conclusion): string =>
  JSON.stringify(conclusion, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value))

/** Valid conclusions of one partition as text: without those of retracted frames, and without the retractions. */
export const standingConclusions = (conclusions: readonly Conclusion[]): string[] => {
  const standing = new Map<string, Conclusion>()
  for (const one of conclusions) {
    if (one.body.type !== 'retraction') standing.set(one.id, one)
    else for (const [id, { number, hash8 }] of standing) if (number === one.number && hash8 === one.hash8) standing.delete(id)
  }
  return [...standing.values()].map(conclusionText)
}

/** Valid conclusions on the log, partition by partition. */
export const standingConclusionsOn = async (log: Log, topic: Topic, codec: Codec<Conclusion> = conclusionCodec): Promise<string[]> => {
  const standing: string[] = []
  for (let partition = 0; partition < log.partitions(topic); partition++) {
    const records = await readAll(log, topic, partition)
    const read = records.map(({ value }) => codec.decode(value as Uint8Array))
    standing.push(...standingConclusions(read.flatMap((one) => (one.ok ? [one.value] : []))))
  }
  return standing
}

/** Folds everything on the log, then stops cleanly. */
export const foldToEnd = async (log: Log, limits: EngineLimits): Promise<void> => {
  const folds = await startFolds(log, [LAUNCH_RISK], limits)
  await folds.caughtUp()
  await folds.stop()
}

/** Cards of the mints at the stream time `asOf`, as sorted JSON. */
export const cardsOf = (mints: Iterable<MintSnapshot>, asOf: number, gap: { from: number; to: number } | null): string[] =>
  [...mints].map(({ mint, state }) => JSON.stringify(mintEvidence(mint, state, { asOf, gap }))).sort()

/** Reads back the conclusions of the folds and the cards of these mints, each sorted as text. */
export const resultsOf = async (log: Log, mints: readonly Key[]): Promise<RunResults> => {
  const records = (await Promise.all(CONCLUDED.map((topic) => readAll(log, topic)))).flat()
  const conclusions = records.map((record) => {
    const read = conclusionCodec.decode(record.value as Uint8Array)
    if (!read.ok) throw new Error(read.reason)
    return JSON.stringify(read.value)
  })
  const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  await view.start()
  const { folded, gap } = view.status()
  const shown = mints.map((mint) => view.get(mint)).filter((snapshot) => snapshot !== undefined)
  const cards = cardsOf(shown, folded?.time ?? 0, gap)
  await view.stop()
  return { conclusions: conclusions.sort(), cards }
}
