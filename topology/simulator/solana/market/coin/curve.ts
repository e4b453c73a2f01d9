// The bonding curve in integers, as the launchpad's program computes it.
import { assert } from '../../../../../schemas/errors.ts'

/** Reserves of a fresh SOL curve, base units. Measured on 61 of 61 recorded curves. */
export const START_TOKEN_UNITS = 1_073_000_000_000_000
export const START_QUOTE_UNITS = 30_000_000_000
export const START_REAL_TOKEN_UNITS = 793_100_000_000_000
export const SUPPLY_UNITS = 1_000_000_000_000_000

const PROTOCOL_BPS = 95
const CREATOR_BPS = 30
const TOTAL_FEE_BPS = PROTOCOL_BPS + CREATOR_BPS

/** floor(a * b / c), exact: the product can exceed 53 bits. */
export const mulDiv = (a: number, b: number, c: number): number => Number((BigInt(a) * BigInt(b)) / BigInt(c))

/** Fees on an amount, each rounded up. The creator part of a cashback coin goes to the trader and is not a creator fee. */
export const curveFees = (quoteUnits: number, isCashback: boolean): { readonly fee: number; readonly creatorFee: number } => ({
  fee: Math.ceil((quoteUnits * PROTOCOL_BPS) / 10_000),
  creatorFee: isCashback ? 0 : Math.ceil((quoteUnits * CREATOR_BPS) / 10_000),
})

/** The part of a gross spend that reaches the curve. */
export const netOfSpend = (spendUnits: number): number => Math.floor(((spendUnits - 1) * 10_000) / (10_000 + TOTAL_FEE_BPS))

/** Reserves of one curve. Amounts in base units: coins have 6 decimals, the quote is lamports for SOL. */
export class Curve {
  virtualTokenUnits = START_TOKEN_UNITS
  realTokenUnits = START_REAL_TOKEN_UNITS
  realQuoteUnits = 0
  virtualQuoteUnits: number

  constructor(startQuoteUnits: number) {
    this.virtualQuoteUnits = startQuoteUnits
  }
  /** Coins for a net amount, limited to those left. */
  tokensFor(netUnits: number): number {
    return Math.min(this.realTokenUnits, mulDiv(netUnits, this.virtualTokenUnits, this.virtualQuoteUnits + netUnits))
  }
  costOf(tokenUnits: number): number {
    return mulDiv(tokenUnits, this.virtualQuoteUnits, this.virtualTokenUnits - tokenUnits) + 1
  }
  worthOf(tokenUnits: number): number {
    return mulDiv(tokenUnits, this.virtualQuoteUnits, this.virtualTokenUnits + tokenUnits)
  }
  /** Approximate number of coins that sell for `quoteUnits`: for planning only. */
  tokensWorth(quoteUnits: number): number {
    return Math.ceil((quoteUnits / (this.virtualQuoteUnits - quoteUnits)) * this.virtualTokenUnits)
  }
  /** Executes a buy of at least 1 token unit and at most all that are left; returns its cost without fees. */
  buy(tokenUnits: number): number {
    assert(tokenUnits > 0 && tokenUnits <= this.realTokenUnits, 'a buy must not exceed the coins of the curve')
    const cost = this.costOf(tokenUnits)
    this.move(-tokenUnits, cost, cost)
    return cost
  }
  /** Executes a sell that the real reserve can pay; returns the proceeds before fees. */
  sell(tokenUnits: number): number {
    const worth = this.worthOf(tokenUnits)
    assert(tokenUnits > 0 && worth <= this.realQuoteUnits, 'a sell must not exceed what the curve can pay')
    this.move(tokenUnits, -worth, -worth)
    return worth
  }
  /** Changes the reserves. Two quote amounts, because the mayhem agent changes the virtual quote by another amount than the real one. */
  move(tokenUnits: number, virtualQuoteUnits: number, realQuoteUnits: number): void {
    this.virtualTokenUnits += tokenUnits
    this.realTokenUnits += tokenUnits
    this.virtualQuoteUnits += virtualQuoteUnits
    this.realQuoteUnits += realQuoteUnits
  }
}
