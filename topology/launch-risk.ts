// The wiring: what runs over what, on one page. `mintfold topology` prints it.
import type { FrameHeader } from '../processors/contract.ts'
import { type MintOutput, type MintRows, mintProcessor, type TapeHeader } from '../processors/mint/mint.ts'
import { type DecodeOutput, type DecodeRows, decodeProcessor } from '../processors/solana/decode-processor.ts'
import { loadType, readSchema } from '../schemas/avro.ts'
import type { Key } from '../schemas/keys.ts'
import { toBase58 } from '../schemas/keys.ts'
import { tickOf } from '../schemas/position.ts'
import { TOPICS, type Topic } from '../schemas/topics.ts'
import type { RawFrame, TapeEvent } from '../schemas/types.ts'
import { createPartitioner } from './engine/partition.ts'
import { stateTypeOf } from './engine/state-type.ts'
import type { TaskDefinition } from './engine/task.ts'
import { rawReader, tapeReader } from './readers.ts'
import { conclusionRecords, progressRecord, rejectedRecord, tapeRecords } from './records.ts'

export const mintState = stateTypeOf(readSchema('mint-state'), loadType('mint-state'))
const decodeState = stateTypeOf(readSchema('decode-state'), loadType('decode-state'))

/** raw.solana -> tape.solana: one task, because a chain has one order. */
export const decodeTask = (partitions: number): TaskDefinition<DecodeRows, RawFrame, DecodeOutput, FrameHeader> => ({
  processor: decodeProcessor,
  state: decodeState,
  input: TOPICS.rawSolana,
  changelog: TOPICS.decodeChangelog,
  open: rawReader,
  positionOf: (_frame, header) => tickOf(header.chain, header.number),
  collect: tapeRecords(
    partitions,
    createPartitioner(partitions, (key) => toBase58(key as Key)),
  ),
  reject: rejectedRecord(decodeProcessor),
})

/** tape.solana -> rows of each mint, flags, outcomes: one task per partition. */
export const mintTask = (): TaskDefinition<MintRows, TapeEvent, MintOutput, TapeHeader> => ({
  processor: mintProcessor,
  state: mintState,
  input: TOPICS.tapeSolana,
  changelog: TOPICS.mintChangelog,
  open: tapeReader,
  positionOf: (event, header) => ({ chain: header.chain, number: header.number, tx: event.tx, outer: event.outer, inner: event.inner }),
  collect: conclusionRecords,
  reject: rejectedRecord(mintProcessor),
  progress: progressRecord(mintProcessor.name),
})

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
      writes: [TOPICS.flags.name, TOPICS.outcomes.name, TOPICS.progress.name],
      store: TOPICS.mintChangelog.name,
    },
  ],
  views: [{ name: 'mints', reads: [TOPICS.flags.name, TOPICS.mintChangelog.name, TOPICS.progress.name] }],
  topics: Object.values(TOPICS).map((topic) => ({ ...topic, partitionsHere: topic.partitions === 'one' ? 1 : partitions })),
})
