// The balances of one transaction, before and after.
import type { SourceToken } from '../../../../processors/chains/solana/source-transaction.ts'
import type { Key } from '../../../../schemas/keys.ts'

/** A token account of the transaction. */
export interface TokenHolding {
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

/** Initial balance of an account that is not tracked: some SOL, always the same for a key. */
export const someUnits = (key: Key): number => 1_000_000_000 * (1 + key.charCodeAt(0)) + key.charCodeAt(1)

/** The balance before, raised to the amount spent: a balance cannot become negative. */
const settled = ({ before, delta }: Change): number => Math.max(before, -delta)

/** Adds up changes; `before` is used on the first change of an account. */
export class Ledger {
  readonly #lamports = new Map<number, Change>()
  readonly #tokens = new Map<number, Change & { readonly holding: TokenHolding }>()

  /** `before` null means that the balance is unknown. */
  lamports(account: number, key: Key, delta: number, before: number | null): void {
    const change = this.#lamports.get(account)
    if (change === undefined) this.#lamports.set(account, { before: before ?? someUnits(key), delta })
    else change.delta += delta
  }
  tokens(holding: TokenHolding, delta: number, before: number): void {
    const change = this.#tokens.get(holding.account)
    if (change === undefined) this.#tokens.set(holding.account, { holding, before, delta })
    else change.delta += delta
  }
  /** Lamports of `count` keys before and after, decimal; 0 for those without a change. */
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
      const { account, mint, owner, tokenProgram, decimals } = change.holding
      const was = settled(change)
      before.push({ account, mint, owner, tokenProgram, decimals, amount: String(was) })
      after.push({ account, mint, owner, tokenProgram, decimals, amount: String(was + change.delta) })
    }
    return { before, after }
  }
}
