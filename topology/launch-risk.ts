// The wiring: what runs over what, on one page. `mintfold topology` prints it.
import type { FrameHeader } from '../processors/contract.ts'
import { creatorProcessor } from '../processors/creator/creator.ts'
import type { CreatorRows } from '../processors/creator/rows.ts'
import { type MintOutput, type MintRows, mintProcessor, type TapeHeader } from '../processors/mint/mint.ts'
import { type DecodeOutput, type DecodeRows, decodeProcessor } from '../processors/solana/decode-processor.ts'
import { type WalletRows, walletProcessor } from '../processors/wallet/wallet.ts'
import { loadType, readSchema } from '../schemas/avro.ts'
import type { Key } from '../schemas/keys.ts'
import { toBase58 } from '../schemas/keys.ts'
import { tickOf } from '../schemas/position.ts'
import { TOPICS, type Topic } from '../schemas/topics.ts'
import type { RawFrame, TapeEvent } from '../schemas/types.ts'
import type { TaskDefinition } from './engine/definition.ts'
import type { FoldDefinition } from './engine/fold.ts'
import { createPartitioner } from './engine/partition.ts'
import { stateTypeOf } from './engine/state-type.ts'
import { rawReader, tapeReader } from './readers.ts'
import {
  conclusionRecords,
  letterRetractions,
  progressRecord,
  rejectedRecord,
  retractionRecords,
  tapeFinality,
  tapeRecords,
  tapeReverts,
} from './records.ts'

export const mintState = stateTypeOf(readSchema('mint-state'), loadType('mint-state'))
const creatorState = stateTypeOf(readSchema('creator-state'), loadType('creator-state'))
const walletState = stateTypeOf(readSchema('wallet-state'), loadType('wallet-state'))
const decodeState = stateTypeOf(readSchema('decode-state'), loadType('decode-state'))

/** The decoder of a tape with so many partitions. */
export const decodeFold = (partitions: number): FoldDefinition<DecodeRows, RawFrame, DecodeOutput, FrameHeader> => ({
  processor: decodeProcessor,
  state: decodeState,
  changelog: TOPICS.decodeChangelog,
  collect: tapeRecords(
    partitions,
    createPartitioner(partitions, (key) => toBase58(key as Key)),
  ),
})

/** raw.solana -> tape.solana: one task, because a chain has one order. */
export const decodeTask = (partitions: number): TaskDefinition<RawFrame, FrameHeader> => ({
  name: decodeProcessor.name,
  folds: [decodeFold(partitions)],
  input: TOPICS.rawSolana,
  changelog: TOPICS.decodeTaskChangelog,
  formerChangelog: TOPICS.taskChangelog,
  open: rawReader,
  positionOf: (_frame, header) => tickOf(header.chain, header.number),
  reject: rejectedRecord(decodeProcessor),
  retract: (revert, dead) => [...tapeReverts(partitions)(revert, dead), ...letterRetractions(decodeProcessor)(revert, dead)],
  passOn: tapeFinality(partitions),
})

const mintFold: FoldDefinition<MintRows, TapeEvent, MintOutput, TapeHeader> = {
  processor: mintProcessor,
  state: mintState,
  changelog: TOPICS.mintChangelog,
  collect: conclusionRecords,
}

const walletFold: FoldDefinition<WalletRows, TapeEvent, never, TapeHeader> = {
  processor: walletProcessor,
  state: walletState,
  changelog: TOPICS.walletChangelog,
  collect: () => [],
}

const creatorFold: FoldDefinition<CreatorRows, TapeEvent, never, TapeHeader> = {
  processor: creatorProcessor,
  state: creatorState,
  changelog: TOPICS.creatorChangelog,
  collect: () => [],
}

/** Slots of an epoch: what keys tell each other applies at the tick that ends the next. */
export const SLOTS_PER_EPOCH = 4

/** tape.solana -> rows of each mint, creator and wallet, flags, outcomes: one task per partition of so many. */
export const foldTask = (partitions: number): TaskDefinition<TapeEvent, TapeHeader> => ({
  name: mintProcessor.name,
  folds: [mintFold, creatorFold, walletFold],
  input: TOPICS.tapeSolana,
  changelog: TOPICS.taskChangelog,
  bases: TOPICS.bases,
  open: tapeReader,
  positionOf: (event, header) => ({ chain: header.chain, number: header.number, tx: event.tx, outer: event.outer, inner: event.inner }),
  exchange: {
    chain: 'solana',
    topic: TOPICS.exchange,
    framesPerEpoch: SLOTS_PER_EPOCH,
    partitions,
    partitionOf: createPartitioner(partitions, (key) => toBase58(key as Key)),
  },
  reject: rejectedRecord(mintProcessor),
  retract: retractionRecords,
  progress: progressRecord(mintProcessor.name, 'solana'),
})

/** The tasks of a chain over so many partitions of its tape. */
export interface Wiring {
  decode(partitions: number): TaskDefinition<RawFrame, FrameHeader>
  folds(partitions: number): TaskDefinition<TapeEvent, TapeHeader>
}
export const LAUNCH_RISK: Wiring = { decode: decodeTask, folds: foldTask }

/** The graph as data. */
export interface Graph {
  readonly sources: readonly { readonly name: string; readonly writes: string }[]
  readonly processors: readonly {
    readonly name: string
    readonly version: number
    readonly reads: string
    readonly writes: readonly string[]
    readonly store: string
  }[]
  readonly views: readonly { readonly name: string; readonly reads: readonly string[] }[]
  readonly topics: readonly (Topic & { readonly partitionsHere: number })[]
}

/** Describes the wiring for so many tape partitions. */
export const describe = (partitions: number): Graph => ({
  sources: [{ name: 'capture-solana', writes: TOPICS.rawSolana.name }],
  processors: [
    {
      name: decodeProcessor.name,
      version: decodeProcessor.version,
      reads: TOPICS.rawSolana.name,
      writes: [TOPICS.tapeSolana.name, TOPICS.deadLetters.name],
      store: TOPICS.decodeChangelog.name,
    },
    {
      name: mintProcessor.name,
      version: mintProcessor.version,
      reads: TOPICS.tapeSolana.name,
      writes: [TOPICS.flags.name, TOPICS.outcomes.name, TOPICS.progress.name, TOPICS.exchange.name, TOPICS.bases.name],
      store: TOPICS.mintChangelog.name,
    },
    {
      name: creatorProcessor.name,
      version: creatorProcessor.version,
      reads: TOPICS.exchange.name,
      writes: [TOPICS.exchange.name],
      store: TOPICS.creatorChangelog.name,
    },
    {
      name: walletProcessor.name,
      version: walletProcessor.version,
      reads: TOPICS.tapeSolana.name,
      writes: [TOPICS.exchange.name],
      store: TOPICS.walletChangelog.name,
    },
  ],
  views: [
    { name: 'mints', reads: [TOPICS.flags.name, TOPICS.outcomes.name, TOPICS.mintChangelog.name, TOPICS.progress.name] },
    { name: 'records', reads: [TOPICS.creatorChangelog.name, TOPICS.walletChangelog.name] },
  ],
  topics: Object.values(TOPICS).map((topic) => ({ ...topic, partitionsHere: topic.partitions === 'one' ? 1 : partitions })),
})
