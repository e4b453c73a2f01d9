// The wiring: what runs over what, on one page. `mintfold topology` prints this value, and everything else gets its part of it.

import { alt } from '../processors/chains/alt/chain.ts'
import type { ChainDefinition } from '../processors/chains/chain.ts'
import { solana } from '../processors/chains/solana/chain.ts'
import { creatorProcessor } from '../processors/creator/creator.ts'
import { detectors as shipped } from '../processors/mint/detectors/index.ts'
import type { DetectorSet } from '../processors/mint/detectors/set.ts'
import { createMintProcessor } from '../processors/mint/fold/mint.ts'
import { walletProcessor } from '../processors/wallet/wallet.ts'
import { loadType, readSchema } from '../schemas/avro.ts'
import type { Key } from '../schemas/keys.ts'
import { tickOf } from '../schemas/position.ts'
import { TOPICS } from '../schemas/topics.ts'
import { createPartitioner } from './engine/partition.ts'
import { stateTypeOf } from './engine/rows/state-type.ts'
import { rawReader, tapeReader } from './records/readers.ts'
import { conclusionRecords, decoderRecords, foldRecords, tapeRecords, writing } from './records/records.ts'
import * as demo from './simulator/solana/defaults.ts'
import { RpcAccounts } from './sources/solana/rpc/rpc-accounts.ts'
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

const partitionerOf = ({ keys }: ChainDefinition, partitions: number) => createPartitioner(partitions, (key) => keys.print(key as Key))

/** raw -> tape: one task, because a chain has one order. */
const decodeOf =
  (chain: ChainDefinition): Topology['decode'] =>
  (partitions) => ({
    name: chain.decoder.processor.name,
    input: raw,
    folds: [
      {
        processor: chain.decoder.processor,
        state: state.decode,
        changelog: decodeChangelog,
        ...writing({ tape, deadLetters }, tapeRecords, partitions, partitionerOf(chain, partitions)),
      },
    ],
    changelog: decodeTaskChangelog,
    formerChangelog: taskChangelog,
    open: rawReader,
    positionOf: (_frame, header) => tickOf(header.chain, header.number),
    ...writing({ tape, deadLetters }, decoderRecords, partitions, chain.decoder.processor),
  })

const silent = { writes: [], collect: () => [] }

/** tape -> rows of each mint, creator and wallet, flags, outcomes: one task per partition of so many. */
const foldsWith =
  (mint: ReturnType<typeof createMintProcessor>, chain: ChainDefinition): Topology['folds'] =>
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
    exchange: {
      ...{ chain: chain.name, topic: exchange, framesPerEpoch: chain.framesPerEpoch },
      ...{ partitions, partitionOf: partitionerOf(chain, partitions) },
    },
    ...writing({ deadLetters, flags, outcomes, progress }, foldRecords, mint, chain.name),
  })

const sunk = { raw, tape, flags, outcomes, deadLetters, corrections, progress }
const rebuilt = { corrections, flags, outcomes, progress, exchange, bases, deadLetters, stores, rebuilds }

/** With other detectors than are shipped, or another chain, for tests of what follows from them. */
export const launchRisk = (detectors: DetectorSet, chain = solana): Topology => ({
  chain,
  detectors,
  decode: decodeOf(chain),
  folds: foldsWith(createMintProcessor(detectors, chain), chain),
  sources: {
    demo: { reads: {}, writes: { raw, tape }, history: decodeOf(chain) },
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

/** Chains whose recorded data is read. */
export const CHAINS = [solana, alt] as const

/** Where the chain's frames and accounts come from. What is heavy is loaded once it is played. */
export const SOURCES = {
  live: () => import('./sources/solana/open-live.ts'),
  demo: () => import('./simulator/solana/demo.ts'),
  demoDefaults: demo,
  accounts: (options: ConstructorParameters<typeof RpcAccounts>[0]) => new RpcAccounts(options),
}
