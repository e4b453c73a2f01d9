// The wiring: what runs over what, on one page. `mintfold topology` prints this value, and everything else gets its part of it.

import type { ChainDefinition } from '../processors/chains/chain.ts'
import { solana } from '../processors/chains/solana/chain.ts'
import { creatorProcessor } from '../processors/creator/creator.ts'
import { detectors as shipped } from '../processors/mint/detectors/index.ts'
import type { DetectorSet } from '../processors/mint/detectors/set.ts'
import { createMintProcessor } from '../processors/mint/fold/mint.ts'
import { walletProcessor } from '../processors/wallet/wallet.ts'
import { type MintTopics, mintTopicsFor, ownName } from '../schemas/topics.ts'
import type { TapeEvent } from '../schemas/types.ts'
import { decodeOf, exchangeOf, silent, stateOf } from './chain-tasks.ts'
import { CURVE_RISK } from './curve-risk.ts'
import { tapeReader } from './records/readers.ts'
import { conclusionRecords, foldRecords, writing } from './records/records.ts'
import * as demo from './simulator/solana/defaults.ts'
import type { AltSettings, LiveSettings } from './sources/live-settings.ts'
import { RpcAccounts } from './sources/solana/rpc/rpc-accounts.ts'
import type { ChainSources } from './sources/source.ts'
import type { MintTopology, Topology } from './topology.ts'

const state = {
  mint: stateOf('mint-state'),
  creator: stateOf('creator-state'),
  wallet: stateOf('wallet-state'),
  decode: stateOf('decode-state'),
}

/** tape -> rows of each mint, creator and wallet, flags, outcomes: one task per partition of so many. */
const foldsWith =
  (mint: ReturnType<typeof createMintProcessor>, chain: ChainDefinition<TapeEvent>, topics: MintTopics): MintTopology['folds'] =>
  (partitions) => {
    const { tape, flags, outcomes, deadLetters, progress, exchange: topic, bases, taskChangelog } = topics
    const { mintChangelog, creatorChangelog, walletChangelog } = topics
    const name = ownName(chain, mint.name)
    return {
      name,
      input: tape,
      folds: [
        {
          processor: mint,
          state: state.mint,
          changelog: mintChangelog,
          ...writing({ flags, outcomes }, conclusionRecords, chain.conclusions),
        },
        { processor: creatorProcessor, state: state.creator, changelog: creatorChangelog, ...silent },
        { processor: walletProcessor, state: state.wallet, changelog: walletChangelog, ...silent },
      ],
      changelog: taskChangelog,
      bases,
      open: tapeReader(chain.tape),
      positionOf: (event, header) => ({ chain: header.chain, number: header.number, tx: event.tx, outer: event.outer, inner: event.inner }),
      exchange: exchangeOf(chain, topic, partitions),
      ...writing({ deadLetters, flags, outcomes, progress }, foldRecords, name, mint, chain),
    }
  }

/** With other detectors than are shipped, or another chain, for tests of what follows from them. */
export const launchRisk = (detectors: DetectorSet, chain = solana): MintTopology => {
  const topics = mintTopicsFor(chain)
  const { raw, tape, corrections, flags, outcomes, progress, exchange, bases, deadLetters, stores, rebuilds, sources, owners } = topics
  const { mintChangelog, creatorChangelog, walletChangelog, decodeChangelog, captureChangelog } = topics
  const sunk = { raw, tape, flags, outcomes, deadLetters, corrections, progress }
  const rebuilt = { corrections, flags, outcomes, progress, exchange, bases, deadLetters, stores, rebuilds }
  return {
    chain,
    detectors,
    decode: decodeOf(chain, state.decode, topics),
    folds: foldsWith(createMintProcessor(detectors, chain), chain, topics),
    sources: {
      demo: { reads: {}, writes: { raw, tape }, history: decodeOf(chain, state.decode, topics) },
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
          ...{
            stores,
            rebuilds,
            flags,
            outcomes,
            mintChangelog,
            creatorChangelog,
            walletChangelog,
            progress,
            decodeChangelog,
            deadLetters,
          },
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
  }
}
export const LAUNCH_RISK = launchRisk(shipped)

/** All chains that run, in one process and over one log. */
export const TOPOLOGIES: readonly Topology[] = [LAUNCH_RISK]

/**
 * Chains whose recorded data is read and replayed. The alt chain is recorded only, so it is not among `TOPOLOGIES`: its tasks would wait
 * for frames that no role sends.
 */
export const RECORDED = [LAUNCH_RISK, CURVE_RISK] as const

export const SOURCES: ChainSources<LiveSettings> = {
  live: async (log, ground) => (await import('./sources/solana/open-live.ts')).openLive(log, LAUNCH_RISK.sources.live, ground),
  demo: async (log, play, ground) =>
    (await import('./simulator/solana/open-demo.ts')).openDemo(log, LAUNCH_RISK.sources.demo, play, ground),
  accounts: (options) => new RpcAccounts(options),
}
/** Where the frames of the alt chain come from. */
export const ALT_SOURCES: Pick<ChainSources<AltSettings>, 'live'> = {
  live: async (log, ground) => (await import('./sources/alt/open-alt.ts')).openAlt(log, CURVE_RISK.sources.live, ground),
}
/** What the options of the demo are unless given, and their bounds. */
export const DEMO_BOUNDS = demo
/** What `doctor` asks the live chain with. */
export const liveChecks = () => import('./sources/solana/open-live.ts')
