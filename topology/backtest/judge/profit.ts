// The result of buying a launch at one time of its curve and selling at another. Exact integers.
import type { Reserves } from '../trials/market.ts'

export interface Buyer {
  /** Total spent, including fees, in base units of the quote. */
  readonly sizeUnits: bigint
  readonly feeBps: bigint
}

const BPS = 10_000n

/**
 * `units`: what an exact amount of quote buys on the constant-product curve, with the rounding of the launchpad's program. `net`: the quote
 * that goes to the curve, after fees. Null if the curve would not sell a unit.
 */
const bought = ({ sizeUnits, feeBps }: Buyer, { virtualQuoteUnits, virtualTokenUnits, realTokenUnits }: Reserves) => {
  const [quote, token] = [BigInt(virtualQuoteUnits), BigInt(virtualTokenUnits)]
  const net = ((sizeUnits - 1n) * BPS) / (BPS + feeBps)
  const out = (net * token) / (quote + net)
  const units = out < BigInt(realTokenUnits) ? out : BigInt(realTokenUnits)
  return units <= 0n ? null : { net, units }
}

/** Quote received for `units`, minus fees. */
const sold = (units: bigint, quote: bigint, token: bigint, feeBps: bigint): bigint => {
  const out = (units * quote) / (token + units)
  return out - (out * feeBps + BPS - 1n) / BPS
}

/**
 * Result of buying at `entry` and selling everything at `exit`, in base units of the quote, negative for a loss; null if `entry` or `exit`
 * is null, or nothing could be bought. Until the exit the curve lacks the bought units and has the payment; all other trades are assumed
 * unchanged.
 */
export const resultOf = (buyer: Buyer, entry: Reserves | null, exit: Reserves | null): bigint | null => {
  const purchase = entry && bought(buyer, entry)
  if (purchase === null || exit === null) return null
  const quote = BigInt(exit.virtualQuoteUnits) + purchase.net
  const token = BigInt(exit.virtualTokenUnits) - purchase.units
  // The recorded buyers may have bought units that this purchase removed from the curve: then at least one unit is assumed to be left.
  return sold(purchase.units, quote, token > 0n ? token : 1n, buyer.feeBps) - buyer.sizeUnits
}
