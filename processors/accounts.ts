// What a chain's accounts say of a mint: each chain reads them from its own bytes, thin cards show them.
import type { Amount } from '../schemas/amount.ts'
import type { Parsed } from '../schemas/errors.ts'
import type { Key } from '../schemas/keys.ts'

/** What a mint lets others do, or says. Those that cannot hurt a holder are `other`, by name. */
export type MintExtension =
  | {
      readonly type: 'transferFee'
      /** Of each transfer, from `fromEpoch` on; before it `beforeBasisPoints`. */
      readonly basisPoints: number
      readonly fromEpoch: bigint
      readonly beforeBasisPoints: number
      /** The fee of one transfer at most, base units; of the newer fee. */
      readonly maxUnits: bigint
      /** May set another fee. Null: nobody. */
      readonly authority: Key | null
    }
  /** A program that every transfer calls and that may refuse it. Null: none now, though the authority may name one. */
  | { readonly type: 'transferHook'; readonly program: Key | null; readonly authority: Key | null }
  /** May move and burn the coins of every holder. */
  | { readonly type: 'permanentDelegate'; readonly delegate: Key | null }
  /** New token accounts are frozen until the freeze authority thaws them. */
  | { readonly type: 'defaultAccountState'; readonly frozen: boolean }
  | { readonly type: 'nonTransferable' }
  /** May stop all transfers. */
  | { readonly type: 'pausable'; readonly authority: Key | null; readonly paused: boolean }
  /** Text of the creator, as it is there. Null where it cannot be read. */
  | { readonly type: 'tokenMetadata'; readonly text: { readonly name: string; readonly symbol: string } | null }
  | { readonly type: 'other'; readonly name: string }

export interface MintAccount {
  readonly tokenProgram: Key
  readonly decimals: number
  readonly supplyUnits: bigint
  readonly mintAuthority: Key | null
  readonly freezeAuthority: Key | null
  /** In the order of the account. */
  readonly extensions: readonly MintExtension[]
}

/** The launchpad's curve account of a mint. Amounts are zero once the curve has migrated. */
export interface CurveAccount {
  readonly complete: boolean
  readonly virtualTokenUnits: Amount
  readonly virtualQuoteUnits: Amount
  readonly realTokenUnits: Amount
  readonly realQuoteUnits: Amount
  /** Null in the oldest layout. */
  readonly creator: Key | null
  readonly mayhem: boolean
  readonly cashback: boolean
  /** Null stands for SOL. */
  readonly quoteMint: Key | null
}

/** Accounts of one mint as they were at a slot. Bytes that nobody understands are bad data with their reason, here as everywhere. */
export interface MintAccounts {
  readonly slot: number
  /** False where the address has no account at all. */
  readonly exists: boolean
  /** Null where the address is no mint. */
  readonly mint: Parsed<MintAccount | null>
  /** Where the launchpad's curve of this mint would be. */
  readonly curveAddress: Key
  /** Null where the launchpad has no curve there. */
  readonly curve: Parsed<CurveAccount | null>
}

/** What was learned, or why nothing was: the reason stands on the card. */
export type AccountsRead =
  | { readonly ok: true; readonly value: MintAccounts }
  | {
      readonly ok: false
      /** For buyers: in words, without addresses. */
      readonly reason: string
    }
