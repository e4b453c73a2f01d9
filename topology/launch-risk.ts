// The wiring of all parts, on one page. `mintfold topology` prints this value, and every other module receives its part of it.

import { nodeLogs } from '../processors/chains/alt/chain.ts'
import { solana } from '../processors/chains/solana/chain.ts'
import { creatorProcessor } from '../processors/creator/creator.ts'
import { detectors as shipped } from '../processors/mint/detectors/index.ts'
import type { DetectorSet } from '../processors/mint/detectors/set.ts'
import { createMintProcessor } from '../processors/mint/fold/mint.ts'
import { walletProcessor } from '../processors/wallet/wallet.ts'
import { assert } from '../schemas/errors.ts'
import { mintTopicsFor } from '../schemas/topics.ts'
import type { Chain } from '../schemas/types.ts'
import { decodeOf, foldsOf, operationsOf, stateOf } from './chain-tasks.ts'
import { CURVE_RISK } from './curve-risk.ts'
import { MINT_TABLES } from './history/rows/mint-tables.ts'
import type { AccountReader } from './ports/accounts.ts'
import type { Notice } from './ports/notice.ts'
import type { Prover } from './ports/proof.ts'
import * as demo from './simulator/solana/defaults.ts'
import type { SunkTopology } from './sinks/sink-topology.ts'
import type { AltSettings, LiveSettings } from './sources/live-settings.ts'
import type { NodeOptions } from './sources/node-question.ts'
import { RpcAccounts } from './sources/solana/rpc/rpc-accounts.ts'
import type { ChainSources } from './sources/source.ts'
import type { MintTopology, Topology } from './topology.ts'

const state = {
  mint: stateOf('mint-state'),
  creator: stateOf('creator-state'),
  wallet: stateOf('wallet-state'),
  decode: stateOf('decode-state'),
}

/** The topology with the given detectors, or for tests with another chain. */
export const launchRisk = (detectors: DetectorSet, chain = solana): MintTopology & SunkTopology => {
  const topics = mintTopicsFor(chain)
  const { raw, tape, corrections, flags, outcomes, judgements, odds, progress, deadLetters, stores, rebuilds, sources } = topics
  const { models } = topics
  const graded = { odds, outcomes, models, progress }
  const { mintChangelog, creatorChangelog, walletChangelog, decodeChangelog, captureChangelog } = topics
  const conclusions = { flags, outcomes, judgements }
  const sunk = { raw, tape, ...conclusions, odds, deadLetters, corrections, progress }
  const decode = decodeOf(chain, state.decode, topics, topics.taskChangelog)
  return {
    chain,
    detectors,
    decode,
    folds: foldsOf(
      chain,
      topics,
      conclusions,
      { processor: createMintProcessor(detectors, chain), state: state.mint, changelog: mintChangelog },
      { processor: creatorProcessor, state: state.creator, changelog: creatorChangelog },
      { processor: walletProcessor, state: state.wallet, changelog: walletChangelog },
    ),
    sources: {
      demo: { reads: {}, writes: { raw, tape }, history: decode },
      recording: { reads: {}, writes: { raw } },
      live: { reads: { raw, captureChangelog }, writes: { raw, captureChangelog } },
      clock: { reads: {}, writes: { sources } },
    },
    sinks: {
      clickhouse: { reads: sunk, writes: {}, tables: MINT_TABLES },
      scorer: { reads: { judgements, models }, writes: { odds } },
      trials: { reads: graded, writes: { models } },
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
      odds: { reads: graded, writes: {} },
      source: { reads: { raw, sources }, writes: {} },
    },
    operations: {
      ...operationsOf(topics, conclusions, { ...sunk, stores }),
      explainOdds: { reads: { judgements, odds, models }, writes: {} },
    },
  }
}
export const LAUNCH_RISK = launchRisk(shipped)

/** All chains, which run in one process over one log; the first is the primary one. */
export const TOPOLOGIES = [LAUNCH_RISK, CURVE_RISK] as const satisfies readonly Topology[]

/** @throws (a bug) for a chain without a topology */
export const topologyOf = (chain: Chain): (typeof TOPOLOGIES)[number] => {
  const topology = TOPOLOGIES.find((one) => one.chain.name === chain)
  assert(topology !== undefined, `chain ${chain} has no topology`)
  return topology
}

/** By chain: the settings that name its nodes, at least one of which the live source needs, and these settings as text for messages. */
export const NODES: Readonly<Record<Chain, { readonly anyOf: readonly string[]; readonly words: string }>> = {
  solana: { anyOf: ['SOLANA_GRPC_URL', 'SOLANA_RPC_URL'], words: 'SOLANA_GRPC_URL (preferred), SOLANA_RPC_URL, or both' },
  alt: { anyOf: ['ALT_RPC_URL'], words: 'ALT_RPC_URL' },
}

/** Sources of the primary chain's frames. */
export const SOURCES: ChainSources<LiveSettings> = {
  live: async (log, ground) => (await import('./sources/solana/open-live.ts')).openLive(log, LAUNCH_RISK.sources.live, ground),
  heldStart: async (name) => (await import('./simulator/solana/identity.ts')).heldStart(name),
  demo: async (log, play, ground) =>
    (await import('./simulator/solana/open-demo.ts')).openDemo(log, LAUNCH_RISK.sources.demo, play, ground),
}
const ALT_DEMO = {
  ...{ seed: demo.DEMO_DEFAULTS.seed, rate: demo.DEMO_DEFAULTS.rate },
  ...{ startMs: demo.PACED_FROM_MS, forksPerHour: demo.FORKS_PER_HOUR },
}

/** Sources of the alt chain's frames. */
export const ALT_SOURCES: ChainSources<AltSettings> = {
  heldStart: async (...named) => (await import('./simulator/alt/open-demo.ts')).heldAltStart(...named),
  demo: async (log, play, ground) =>
    (await import('./simulator/alt/open-demo.ts')).openAltDemo(log, CURVE_RISK.sources.live, nodeLogs, ALT_DEMO, play, ground),
  live: async (log, ground) => (await import('./sources/alt/open-alt.ts')).openAlt(log, CURVE_RISK.sources.live, ground),
}
/** Reads accounts from a node of the primary chain, for thin cards. */
export const accountsOf = (options: { readonly url: string; readonly notice: Notice }): AccountReader => new RpcAccounts(options)
/** Proofs of events from a node of a chain, by kind of card. */
export const PROVERS: Readonly<Record<'mint' | 'curve', (options: NodeOptions) => Promise<Prover>>> = {
  mint: async (options) => (await import('./sources/solana/proof/prover.ts')).transactionProver(options),
  curve: async (options) => (await import('./sources/alt/proof/prover.ts')).receiptProver(options),
}
/** Defaults and bounds of the demo's options. */
export const DEMO_BOUNDS = demo
/** Checks of the live chain for `doctor`. */
export const liveChecks = () => import('./sources/solana/open-live.ts')
/** The same for the alt chain. */
export const altChecks = () => import('./sources/alt/open-alt.ts')
