// Types of the simulated market's output before it is encoded: the interface between behaviour (market) and the chain's layouts (bytes).
import type { InLong } from '../../../schemas/amount.ts'
import type { Key, Signature } from '../../../schemas/keys.ts'
import type { Balance, MissingEvent, TapeEvent, Transfer } from '../../../schemas/types.ts'

type WithoutPosition<Event> = Event extends unknown ? InLong<Omit<Event, 'tx' | 'outer' | 'inner' | 'signature'>> : never
/** An event of the launchpad without its position, which follows from the position of its instruction. Amounts are numbers. */
export type DemoEvent = WithoutPosition<Exclude<TapeEvent, Balance | MissingEvent | Transfer>>

/** One top-level instruction. Its k-th event is inner instruction k, from 1. */
export type DemoInstruction =
  | { readonly kind: 'transfer'; readonly source: Key; readonly target: Key; readonly lamports: number }
  | { readonly kind: 'tokenTransfer'; readonly mint: Key; readonly source: Key; readonly target: Key; readonly units: number }
  | {
      readonly kind: 'launchpad'
      readonly name: LaunchpadInstruction
      /** Of a route over several pools: the coin of its first trade. */
      readonly mint: Key
      readonly user: Key
      readonly events: readonly DemoEvent[]
    }

/** Names as in the launchpad's IDL; `amm_` marks those of its pool program. */
export type LaunchpadInstruction =
  | 'create'
  | 'create_v2'
  | 'buy'
  | 'sell'
  | 'buy_exact_sol_in'
  | 'buy_v2'
  | 'sell_v2'
  | 'migrate_v2'
  | 'amm_buy'
  | 'amm_sell'
  | 'amm_deposit'
  | 'amm_withdraw'
  | 'amm_boost_buy_and_burn'
  | 'amm_multi_hop_swap'
  | 'set_creator'
  | 'set_mayhem_virtual_params'

export interface DemoTransaction {
  /** Index in the block. */
  readonly index: number
  readonly signature: Signature
  readonly signer: Key
  /** A failed transaction has events in its bytes, but none on the tape. */
  readonly failed: { readonly instruction: number; readonly code: number } | null
  readonly instructions: readonly DemoInstruction[]
}

export interface DemoSlot {
  readonly number: number
  /** Base58 of 32 bytes. */
  readonly hash: string
  readonly parentNumber: number
  readonly parentHash: string
  /** Unix milliseconds; the block time is this, rounded down to seconds. */
  readonly timeMs: number
  readonly transactions: readonly DemoTransaction[]
  readonly failedOthers: number
  readonly transactionsTotal: number
}

export type Archetype =
  | 'mayhem'
  | 'dead_on_arrival'
  | 'organic_fade'
  | 'bundle_and_dump'
  | 'slow_drain'
  | 'serial_rugger'
  | 'funded_insiders'
  | 'near_miss'
  | 'self_graduation'
  | 'organic_graduate'

/** The truth about a launch: for tests and grading, never read by a fold. `...AtMs`: unix milliseconds of whole seconds. */
export interface DemoTruth {
  readonly mint: Key
  readonly creator: Key
  readonly slot: number
  readonly launchedAtMs: number
  readonly archetype: Archetype
  readonly bundleWallets: readonly Key[]
  readonly insiders: readonly Key[]
  /** Set once the mint's story is over; the truth is written at that time. */
  readonly rug: { readonly kind: 'drain' | 'dev_dump'; readonly atMs: number } | null
  readonly graduated: boolean
  readonly creatorSoldAtMs: number | null
  readonly bundleDumpedAtMs: number | null
  readonly curveDrainedAtMs: number | null
  readonly poolDrainedAtMs: number | null
  readonly closedLowAtMs: number | null
  readonly migratedLowAtMs: number | null
  readonly peakLamports: number
}

export interface DemoOptions {
  readonly seed: number
  /** Unix milliseconds of the first slot. */
  readonly startMs: number
  /** 1 = 150 launches an hour and 13 trades a second, a tenth of the real launchpad's load; up to 100. */
  readonly rate: number
}
