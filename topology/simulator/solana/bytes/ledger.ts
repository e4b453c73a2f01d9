// Balances of one transaction: what it moves, with what was there before.
import type { SourceToken } from '../../../../processors/chains/solana/source-transaction.ts'
import type { Key } from '../../../../schemas/keys.ts'

/** A token account that takes part. */
export interface TokenPlace {
  readonly account: number
  readonly mint: Key
  readonly owner: Key
  readonly tokenProgram: Key
  readonly decimals: number
}

interface Change {
  before: number
  delta: number
}

/** What an account has before that nobody keeps books of: some SOL, the same at every look. */
export const someUnits = (key: Key): number => 1_000_000_000 * (1 + key.charCodeAt(0)) + key.charCodeAt(1)

/** An account that cannot have had too little: it is taken to have had what it gave. */
const settled = ({ before, delta }: Change): number => Math.max(before, -delta)

/** Adds up changes; `before` counts at the first touch of an account. */
export class Ledger {
  readonly #lamports = new Map<number, Change>()
  readonly #tokens = new Map<number, Change & { readonly place: TokenPlace }>()

  /** `before` null stands for an account of which nothing is known. */
  lamports(account: number, key: Key, delta: number, before: number | null): void {
    const change = this.#lamports.get(account)
    if (change === undefined) this.#lamports.set(account, { before: before ?? someUnits(key), delta })
    else change.delta += delta
  }
  tokens(place: TokenPlace, delta: number, before: number): void {
    const change = this.#tokens.get(place.account)
    if (change === undefined) this.#tokens.set(place.account, { place, before, delta })
    else change.delta += delta
  }
  /** Lamports of `count` keys before and after, decimal; those without a change are told as 0. */
  lamportColumns(count: number): { readonly before: string[]; readonly after: string[] } {
    const before = new Array<string>(count).fill('0')
    const after = new Array<string>(count).fill('0')
    for (const [account, change] of this.#lamports) {
      const was = settled(change)
      before[account] = String(was)
      after[account] = String(was + change.delta)
    }
    return { before, after }
  }
  tokenColumns(): { readonly before: SourceToken[]; readonly after: SourceToken[] } {
    const before: SourceToken[] = []
    const after: SourceToken[] = []
    for (const change of this.#tokens.values()) {
      const { account, mint, owner, tokenProgram, decimals } = change.place
      const was = settled(change)
      before.push({ account, mint, owner, tokenProgram, decimals, amount: String(was) })
      after.push({ account, mint, owner, tokenProgram, decimals, amount: String(was + change.delta) })
    }
    return { before, after }
  }
}
