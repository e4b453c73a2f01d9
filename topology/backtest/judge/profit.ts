// What a buyer of a launch would have got: bought with so much at one moment of the curve, sold at another. Exact integers.
import type { Reserves } from '../trials/market.ts'

export interface Buyer {
  /** Spent in all, fees included, base units of the quote. */
  readonly sizeUnits: bigint
  readonly feeBps: bigint
}

const BPS = 10_000n

/**
 * Units that a purchase gets on a constant product, by the launchpad's own arithmetic (facts of the primary chain: exact-in): null where
 * the curve would not sell a unit.
 */
const bought = ({ sizeUnits, feeBps }: Buyer, { virtualQuoteUnits, virtualTokenUnits, realTokenUnits }: Reserves) => {
  const [quote, token] = [BigInt(virtualQuoteUnits), BigInt(virtualTokenUnits)]
  const net = ((sizeUnits - 1n) * BPS) / (BPS + feeBps)
  const out = (net * token) / (quote + net)
  const units = out < BigInt(realTokenUnits) ? out : BigInt(realTokenUnits)
  return units <= 0n ? null : { net, units }
}

/** Quote out of a sale of `units`, fees taken. */
const sold = (units: bigint, quote: bigint, token: bigint, feeBps: bigint): bigint => {
  const out = (units * quote) / (token + units)
  return out - (out * feeBps + BPS - 1n) / BPS
}

/**
 * Result of buying at `entry` and selling everything at `exit`, base units of the quote, below 0 for a loss; null where nothing could be
 * bought. What was bought is out of the curve until it is sold, and what was paid is in it: others are taken to trade as they did.
 */
export const resultOf = (buyer: Buyer, entry: Reserves | null, exit: Reserves | null): bigint | null => {
  const purchase = entry && bought(buyer, entry)
  if (purchase === null || exit === null) return null
  const quote = BigInt(exit.virtualQuoteUnits) + purchase.net
  const token = BigInt(exit.virtualTokenUnits) - purchase.units
  // Others bought more than would have been left: the last of them would have had less, and the price is at its highest.
  return sold(purchase.units, quote, token > 0n ? token : 1n, buyer.feeBps) - buyer.sizeUnits
}
