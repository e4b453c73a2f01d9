// The product's own graph: its folds over a tape, and behind its decoder over frames of the demo.
import type { TapeHeader } from '../../processors/tape.ts'
import { conclusionCodec, rawRecordCodec, tapeRecordCodec } from '../../schemas/codecs.ts'
import { type Key, toBase58 } from '../../schemas/keys.ts'
import { hash8Of } from '../../schemas/position.ts'
import { tapeKeyOf } from '../../schemas/tape-key.ts'
import type { RawRecord, TapeBatch, TapeEvent, TapeRecord } from '../../schemas/types.ts'
import type { EngineLimits } from '../../topology/engine/limits.ts'
import { createPartitioner } from '../../topology/engine/partition.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import type { OutRecord } from '../../topology/ports/log.ts'
import { CoinBook } from '../../topology/simulator/solana/bytes/coins.ts'
import { ForkFrames } from '../../topology/simulator/solana/forks/fork-frames.ts'
import { forkSteps } from '../../topology/simulator/solana/forks/forks.ts'
import { Market } from '../../topology/simulator/solana/market.ts'
import type { DemoSlot } from '../../topology/simulator/solana/market-types.ts'
import { syntheticTape } from '../bench/synthetic-tape.ts'
import { forkedTape } from '../fixtures/forked-tape.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { Dice } from './dice.ts'
import type { Said } from './invariants.ts'
import { type Job, taskJob } from './job.ts'
import type { Domain, Entry, Happening } from './story.ts'

const PARTITIONS_MAX = 3
const START_MS = Date.UTC(2026, 9, 15, 12)
const DEMO_S = 14
const key = Buffer.from('solana')

const readOutput = ({ topic, value }: Pick<OutRecord, 'topic' | 'value'>): Said | undefined => {
  if (topic !== TOPICS.flags && topic !== TOPICS.outcomes) return undefined
  const read = conclusionCodec.decode(value as Uint8Array)
  if (!read.ok) throw new Error(read.reason)
  const { number, hash8, body } = read.value
  const frame = `${number}@${hash8}`
  return body.type === 'retraction' ? { type: 'retraction', frames: [frame] } : { type: 'line', line: JSON.stringify(read.value), frame }
}

const folds = (partitions: number, limits: EngineLimits): Job[] =>
  Array.from({ length: partitions }, (_, partition) => taskJob<TapeEvent, TapeHeader>(LAUNCH_RISK.folds(partitions), partition, limits))

const tapeEntry = (record: TapeRecord, partitions: number, partitionOf: (key: string) => number): Entry => {
  const part = (partition: number): TapeRecord =>
    record.type === 'batch' ? { ...record, events: record.events.filter((event) => partitionOf(tapeKeyOf(event)) === partition) } : record
  const records = Array.from({ length: partitions }, (_, partition) => ({
    topic: TOPICS.tape,
    partition,
    key,
    value: tapeRecordCodec.encode(part(partition)),
  }))
  if (record.type === 'finality') return { happening: { type: 'finality' }, records }
  const { number, hash8 } = record
  return { happening: { type: record.type === 'batch' ? 'frame' : 'revert', number, hash8 }, records }
}

/** A short generated market with forks, as the decoder would have written it. */
export const tapeDomain = (seed: number): Domain => {
  const dice = new Dice(seed, 'tape')
  const partitions = dice.int(1, PARTITIONS_MAX)
  const partitionOf = createPartitioner(partitions, (name) => toBase58(name as Key))
  const living: TapeBatch[] = [...syntheticTape({ events: 200, eventsPerFrame: 5, eventsPerMint: 21, seed: dice.int(1, 4) })]
  return {
    partitions,
    entries: forkedTape(living, 0.1, dice.int(1, 1e9)).map((record) => tapeEntry(record, partitions, partitionOf)),
    outputs: [TOPICS.flags, TOPICS.outcomes],
    readOutput,
    tasks: (limits) => folds(partitions, limits),
  }
}

const happeningOf = (body: RawRecord['body']): Happening => {
  if (body.type === 'frame' || body.type === 'revert') return { type: body.type, number: body.number, hash8: hash8Of(body.hash) }
  return { type: 'finality' }
}

/** Real bytes of the demo's blocks with forks, from the raw frames on. */
export const framesDomain = (seed: number): Domain => {
  const dice = new Dice(seed, 'frames')
  const partitions = dice.int(1, PARTITIONS_MAX)
  const market: DemoSlot[] = []
  for (const slot of new Market({ seed: 9, startMs: START_MS, rate: 4 })) {
    if (slot.timeMs >= START_MS + DEMO_S * 1_000) break
    market.push(slot)
  }
  const frames = new ForkFrames(new CoinBook())
  const steps = [...forkSteps(market, { seed: dice.int(1, 1e6), perHour: 900, fromMs: START_MS })]
  const entries = steps.map((step, sequence): Entry => {
    const body = frames.bodyOf(step)
    const value = rawRecordCodec.encode({ sequence, body })
    return { happening: happeningOf(body), records: [{ topic: TOPICS.raw, partition: 0, key, value }] }
  })
  return {
    partitions,
    entries,
    outputs: [TOPICS.flags, TOPICS.outcomes],
    readOutput,
    tasks: (limits) => [taskJob(LAUNCH_RISK.decode(partitions), 0, limits), ...folds(partitions, limits)],
  }
}
