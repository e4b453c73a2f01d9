// The wiring: what runs over what, on one page. `mintfold topology` prints this value, and everything else gets its part of it.

import { decodeProcessor } from '../processors/chains/solana/decode-processor.ts'
import { creatorProcessor } from '../processors/creator/creator.ts'
import { detectors as shipped } from '../processors/mint/detectors/index.ts'
import type { DetectorSet } from '../processors/mint/detectors/set.ts'
import { createMintProcessor } from '../processors/mint/fold/mint.ts'
import { walletProcessor } from '../processors/wallet/wallet.ts'
import { loadType, readSchema } from '../schemas/avro.ts'
import type { Key } from '../schemas/keys.ts'
import { toBase58 } from '../schemas/keys.ts'
import { tickOf } from '../schemas/position.ts'
import { TOPICS } from '../schemas/topics.ts'
import { createPartitioner } from './engine/partition.ts'
import { stateTypeOf } from './engine/rows/state-type.ts'
import { rawReader, tapeReader } from './records/readers.ts'
import { conclusionRecords, decoderRecords, foldRecords, tapeRecords, writing } from './records/records.ts'
import type { Topology } from './topology.ts'

const { raw, tape, corrections, flags, outcomes, progress, exchange, bases, deadLetters, stores, rebuilds, sources, owners } = TOPICS
const { mintChangelog, creatorChangelog, walletChangelog, taskChangelog, decodeChangelog, decodeTaskChangelog, captureChangelog } = TOPICS

/** Rows of a processor, as schemas/<name>.avsc has them. */
const stateOf = (name: string) => stateTypeOf(readSchema(name), loadType(name))
const state = {
  mint: stateOf('mint-state'),
  creator: stateOf('creator-state'),
  wallet: stateOf('wallet-state'),
  decode: stateOf('decode-state'),
}

const partitionerOf = (partitions: number) => createPartitioner(partitions, (key) => toBase58(key as Key))
/** Slots of an epoch. */
const framesPerEpoch = 4

/** raw.solana -> tape.solana: one task, because a chain has one order. */
const decode: Topology['decode'] = (partitions) => ({
  name: decodeProcessor.name,
  input: raw,
  folds: [
    {
      processor: decodeProcessor,
      state: state.decode,
      changelog: decodeChangelog,
      ...writing({ tape, deadLetters }, tapeRecords, partitions, partitionerOf(partitions)),
    },
  ],
  changelog: decodeTaskChangelog,
  formerChangelog: taskChangelog,
  open: rawReader,
  positionOf: (_frame, header) => tickOf(header.chain, header.number),
  ...writing({ tape, deadLetters }, decoderRecords, partitions, decodeProcessor),
})

const silent = { writes: [], collect: () => [] }

/** tape.solana -> rows of each mint, creator and wallet, flags, outcomes: one task per partition of so many. */
const foldsWith =
  (mint: ReturnType<typeof createMintProcessor>): Topology['folds'] =>
  (partitions) => ({
    name: mint.name,
    input: tape,
    folds: [
      { processor: mint, state: state.mint, changelog: mintChangelog, ...writing({ flags, outcomes }, conclusionRecords) },
      { processor: creatorProcessor, state: state.creator, changelog: creatorChangelog, ...silent },
      { processor: walletProcessor, state: state.wallet, changelog: walletChangelog, ...silent },
    ],
    changelog: taskChangelog,
    bases,
    open: tapeReader,
    positionOf: (event, header) => ({ chain: header.chain, number: header.number, tx: event.tx, outer: event.outer, inner: event.inner }),
    exchange: { chain: 'solana', topic: exchange, framesPerEpoch, partitions, partitionOf: partitionerOf(partitions) },
    ...writing({ deadLetters, flags, outcomes, progress }, foldRecords, mint, 'solana'),
  })

const sunk = { raw, tape, flags, outcomes, deadLetters, corrections, progress }
const rebuilt = { corrections, flags, outcomes, progress, exchange, bases, deadLetters, stores, rebuilds }

/** With other detectors than are shipped, for tests of what follows from their list. */
export const launchRisk = (detectors: DetectorSet): Topology => ({
  detectors,
  framesPerEpoch,
  decode,
  folds: foldsWith(createMintProcessor(detectors)),
  sources: {
    demo: { reads: {}, writes: { raw, tape }, history: decode },
    recording: { reads: {}, writes: { raw } },
    live: { reads: { raw, captureChangelog }, writes: { raw, captureChangelog } },
    clock: { reads: {}, writes: { sources } },
  },
  sinks: {
    clickhouse: { reads: sunk, writes: {} },
  },
  views: {
    mints: {
      reads: {
        ...{ stores, rebuilds, flags, outcomes, mintChangelog, creatorChangelog, walletChangelog, progress, decodeChangelog, deadLetters },
      },
      writes: {},
    },
    source: { reads: { raw, sources }, writes: {} },
  },
  operations: {
    rebuild: { reads: { raw, tape, decodeChangelog, ...rebuilt }, writes: rebuilt },
    retention: { reads: { raw, tape, progress }, writes: {} },
    record: { reads: { raw }, writes: {} },
    verify: { reads: { ...sunk, stores }, writes: {} },
    letters: { reads: { deadLetters }, writes: {} },
    kafka: { reads: { owners }, writes: { owners } },
  },
})
export const LAUNCH_RISK = launchRisk(shipped)
