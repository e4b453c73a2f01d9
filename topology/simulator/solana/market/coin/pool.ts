// The pool in integers: a constant product with a virtual quote reserve; events have the reserves before the trade.
import { mulDiv } from './curve.ts'

/** Fees of the lowest tier of market cap, basis points: pool 2, protocol 93, creator 30. Other tiers are not simulated. */
const POOL_BPS = 2
const TOTAL_FEE_BPS = 125

/** The amounts of a trade, for the pool and for the user. */
export interface PoolSwap {
  readonly tokenUnits: number
  readonly quoteUnits: number
  readonly userQuoteUnits: number
  readonly poolTokenUnits: number
  readonly poolQuoteUnits: number
  /** The part of the fees that stayed in the pool. */
  readonly poolFeeUnits: number
}

export class Pool {
  tokenUnits: number
  quoteUnits: number
  /** Virtual part of the quote (boost); 0 for none. */
  virtualQuoteUnits = 0

  readonly #keptBps: number

  /** `keptBps`: the part of the fees that stays in the pool, in basis points of the trade. */
  constructor(tokenUnits: number, quoteUnits: number, keptBps = POOL_BPS) {
    this.tokenUnits = tokenUnits
    this.quoteUnits = quoteUnits
    this.#keptBps = keptBps
  }
  /** Quote per coin unit. */
  get price(): number {
    return (this.quoteUnits + this.virtualQuoteUnits) / this.tokenUnits
  }
  tokensFor(quoteUnits: number): number {
    return mulDiv(quoteUnits, this.tokenUnits, this.quoteUnits + this.virtualQuoteUnits + quoteUnits)
  }
  worthOf(tokenUnits: number): number {
    return mulDiv(tokenUnits, this.quoteUnits + this.virtualQuoteUnits, this.tokenUnits + tokenUnits)
  }
  /** `tokenUnits` must be less than the pool's coins. */
  buy(tokenUnits: number): PoolSwap {
    const quoteUnits = mulDiv(tokenUnits, this.quoteUnits + this.virtualQuoteUnits, this.tokenUnits - tokenUnits) + 1
    const fees = Math.ceil((quoteUnits * TOTAL_FEE_BPS) / 10_000)
    const swap = this.#swap(tokenUnits, quoteUnits, fees, 1)
    this.tokenUnits -= tokenUnits
    this.quoteUnits += quoteUnits + swap.poolFeeUnits
    return swap
  }
  /** What the launchpad buys for itself, free of fees, and burns. */
  burn(quoteUnits: number): PoolSwap {
    const tokenUnits = this.tokensFor(quoteUnits)
    const swap = this.#swap(tokenUnits, quoteUnits, 0, 1)
    this.tokenUnits -= tokenUnits
    this.quoteUnits += quoteUnits
    return swap
  }
  /** Undefined if the real reserve cannot pay for it. */
  sell(tokenUnits: number): PoolSwap | undefined {
    const quoteUnits = this.worthOf(tokenUnits)
    if (quoteUnits >= this.quoteUnits || quoteUnits <= 0) return undefined
    const fees = Math.ceil((quoteUnits * TOTAL_FEE_BPS) / 10_000)
    const swap = this.#swap(tokenUnits, quoteUnits, fees, -1)
    this.tokenUnits += tokenUnits
    this.quoteUnits -= quoteUnits - swap.poolFeeUnits
    return swap
  }
  /** Converts a part of the quote into a virtual reserve. */
  boost(quoteUnits: number): void {
    this.quoteUnits -= quoteUnits
    this.virtualQuoteUnits += quoteUnits
  }
  /** Adds liquidity; negative amounts withdraw it. */
  add(tokenUnits: number, quoteUnits: number): void {
    this.tokenUnits += tokenUnits
    this.quoteUnits += quoteUnits
  }
  #swap(tokenUnits: number, quoteUnits: number, fees: number, sign: 1 | -1): PoolSwap {
    const reserves = { poolTokenUnits: this.tokenUnits, poolQuoteUnits: this.quoteUnits }
    const poolFeeUnits = Math.floor((fees * this.#keptBps) / TOTAL_FEE_BPS)
    return { tokenUnits, quoteUnits, userQuoteUnits: quoteUnits + sign * fees, poolFeeUnits, ...reserves }
  }
}
