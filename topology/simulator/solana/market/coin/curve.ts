// The bonding curve in integers, as the launchpad's program computes it (facts of the launchpad, section 2).
import { assert } from '../../../../../schemas/errors.ts'

/** Reserves of a fresh SOL curve, base units. Measured on 61 of 61 recorded curves. */
export const START_TOKEN_UNITS = 1_073_000_000_000_000
export const START_QUOTE_UNITS = 30_000_000_000
export const START_REAL_TOKEN_UNITS = 793_100_000_000_000
export const SUPPLY_UNITS = 1_000_000_000_000_000

const PROTOCOL_BPS = 95
const CREATOR_BPS = 30
const ALL_BPS = PROTOCOL_BPS + CREATOR_BPS

/** floor(a * b / c), exact: the product needs more bits than a number has. */
export const mulDiv = (a: number, b: number, c: number): number => Number((BigInt(a) * BigInt(b)) / BigInt(c))

/** Fees on an amount, each rounded up. A cashback coin's creator part goes to the trader and is no creator fee. */
export const curveFees = (quoteUnits: number, isCashback: boolean): { readonly fee: number; readonly creatorFee: number } => ({
  fee: Math.ceil((quoteUnits * PROTOCOL_BPS) / 10_000),
  creatorFee: isCashback ? 0 : Math.ceil((quoteUnits * CREATOR_BPS) / 10_000),
})

/** What reaches the curve of a gross spend. */
export const netOfSpend = (spendUnits: number): number => Math.floor(((spendUnits - 1) * 10_000) / (10_000 + ALL_BPS))

/** Reserves of one curve. Amounts in base units: coins have 6 decimals, the quote is lamports for SOL. */
export class Curve {
  virtualTokenUnits = START_TOKEN_UNITS
  realTokenUnits = START_REAL_TOKEN_UNITS
  realQuoteUnits = 0
  virtualQuoteUnits: number

  constructor(startQuoteUnits: number) {
    this.virtualQuoteUnits = startQuoteUnits
  }
  /** Coins for a net amount; all that are left at most. */
  tokensFor(netUnits: number): number {
    return Math.min(this.realTokenUnits, mulDiv(netUnits, this.virtualTokenUnits, this.virtualQuoteUnits + netUnits))
  }
  costOf(tokenUnits: number): number {
    return mulDiv(tokenUnits, this.virtualQuoteUnits, this.virtualTokenUnits - tokenUnits) + 1
  }
  worthOf(tokenUnits: number): number {
    return mulDiv(tokenUnits, this.virtualQuoteUnits, this.virtualTokenUnits + tokenUnits)
  }
  /** Coins that bring in `quoteUnits` when sold, about: a plan, not an amount. */
  tokensWorth(quoteUnits: number): number {
    return Math.ceil((quoteUnits / (this.virtualQuoteUnits - quoteUnits)) * this.virtualTokenUnits)
  }
  /** Takes a buy of 1 coin unit up to all that are left; answers its cost without fees. */
  buy(tokenUnits: number): number {
    assert(tokenUnits > 0 && tokenUnits <= this.realTokenUnits, 'a buy is of coins that the curve has')
    const cost = this.costOf(tokenUnits)
    this.move(-tokenUnits, cost, cost)
    return cost
  }
  /** Takes a sell that the real reserve can pay; answers what it brings without fees. */
  sell(tokenUnits: number): number {
    const worth = this.worthOf(tokenUnits)
    assert(tokenUnits > 0 && worth <= this.realQuoteUnits, 'a sell is of coins that the curve can pay for')
    this.move(tokenUnits, -worth, -worth)
    return worth
  }
  /** Moves reserves: the mayhem agent moves the virtual quote by another amount than the real one. */
  move(tokenUnits: number, virtualQuoteUnits: number, realQuoteUnits: number): void {
    this.virtualTokenUnits += tokenUnits
    this.realTokenUnits += tokenUnits
    this.virtualQuoteUnits += virtualQuoteUnits
    this.realQuoteUnits += realQuoteUnits
  }
}
