// What the chain's accounts say of a mint that no fold knows. Adapters: the demo's own market; a node's RPC where one is set.
import type { Key } from '../../schemas/keys.ts'

/** The launchpad's curve account of a mint. */
export interface CurveAccount {
  readonly address: Key
  readonly complete: boolean
  readonly virtualTokenUnits: number
  readonly virtualQuoteUnits: number
  readonly realTokenUnits: number
  readonly realQuoteUnits: number
  readonly creator: Key
  readonly mayhem: boolean
  readonly cashback: boolean
  /** Null stands for SOL. */
  readonly quoteMint: Key | null
}

/** Accounts as they were at a slot. */
export interface MintAccounts {
  readonly slot: number
  /** Null where the address has no account, or one that is no mint. */
  readonly mint: {
    readonly tokenProgram: Key
    readonly decimals: number
    readonly supplyUnits: number
    readonly mintAuthority: Key | null
    readonly freezeAuthority: Key | null
  } | null
  /** False where the address has no account at all. */
  readonly exists: boolean
  /** Null where the launchpad has no curve for it. */
  readonly curve: CurveAccount | null
}

/** Reads accounts. A read that cannot be made answers why, never throws: the card then shows the reason. */
export interface AccountReader {
  read(mint: Key): Promise<{ readonly ok: true; readonly value: MintAccounts } | { readonly ok: false; readonly reason: string }>
}
