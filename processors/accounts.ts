// A mint's accounts on a chain, as data: each chain parses its own bytes into this form, and thin cards show them.
import type { Amount } from '../schemas/amount.ts'
import type { Parsed } from '../schemas/errors.ts'
import type { Key } from '../schemas/keys.ts'

/** A token extension of a mint. `other`, with its name: an extension that cannot hurt a holder, or an unknown one. */
export type MintExtension =
  | {
      readonly type: 'transferFee'
      /** The fee of each transfer from `fromEpoch` on; before that epoch `beforeBasisPoints` applies. */
      readonly basisPoints: number
      readonly fromEpoch: bigint
      readonly beforeBasisPoints: number
      /** Maximum fee of one transfer from `fromEpoch` on, in base units. */
      readonly maxUnits: bigint
      /** The key that may change the fee. Null: nobody. */
      readonly authority: Key | null
    }
  /** A program that every transfer calls and that may refuse it. Null: no program now, though the authority may set one. */
  | { readonly type: 'transferHook'; readonly program: Key | null; readonly authority: Key | null }
  /** May move and burn the coins of every holder. */
  | { readonly type: 'permanentDelegate'; readonly delegate: Key | null }
  /** New token accounts are frozen until the freeze authority thaws them. */
  | { readonly type: 'defaultAccountState'; readonly frozen: boolean }
  | { readonly type: 'nonTransferable' }
  /** May stop all transfers. */
  | { readonly type: 'pausable'; readonly authority: Key | null; readonly paused: boolean }
  /** The creator's own text, unmodified. Null where it cannot be read. */
  | { readonly type: 'tokenMetadata'; readonly text: { readonly name: string; readonly symbol: string } | null }
  | { readonly type: 'other'; readonly name: string }

export interface MintAccount {
  readonly tokenProgram: Key
  readonly decimals: number
  readonly supplyUnits: bigint
  readonly mintAuthority: Key | null
  readonly freezeAuthority: Key | null
  /** In the account's order. */
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
  /** Null means SOL. */
  readonly quoteMint: Key | null
}

/** Accounts of one mint at a slot. Bytes that cannot be parsed are bad data with a reason, as everywhere. */
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

/** The accounts, or why they could not be read: the card shows the reason. */
export type AccountsRead =
  | { readonly ok: true; readonly value: MintAccounts }
  | {
      readonly ok: false
      /** For buyers: plain text without addresses. */
      readonly reason: string
    }
