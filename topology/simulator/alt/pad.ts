// One curve of Pons V2, exact to the wei. Formulas and the snipe tax schedule are from the chain's own logs: a payment minus fees buys
// tokens on the constant product of both reserves.
const BPS = 10_000n
const FEE_BPS = 100n
export const SUPPLY_UNITS = 10n ** 27n
const SNIPE_BPS_MAX = 9_900n
const SNIPE_S = 3
/** At least this part of a buy goes to the curve. */
const KEPT_BPS_MIN = 100n

/** Snipe tax in basis points of a buy, at this many whole seconds after the launch, for an account that is not exempt. */
export const snipeBpsAt = (elapsedS: number, taxBps: bigint): bigint => {
  if (elapsedS >= SNIPE_S) return 0n
  const bps = SNIPE_BPS_MAX >> BigInt(Math.floor((elapsedS * 14) / SNIPE_S))
  const most = BPS - FEE_BPS - taxBps - KEPT_BPS_MIN
  return bps < most ? bps : most
}

/** Base units; `fee` includes the snipe tax, as in the contract's event. */
export interface Bought {
  readonly spent: bigint
  readonly refund: bigint
  readonly tokens: bigint
  readonly fee: bigint
  readonly tax: bigint
  readonly snipe: bigint
  /** True if it sold the last token for sale. */
  readonly isFull: boolean
}
/** `quote`: what the seller receives. */
export interface Sold {
  readonly quote: bigint
  readonly fee: bigint
  readonly tax: bigint
}

export class Pad {
  readonly thresholdUnits: bigint
  readonly #phantom: bigint
  readonly #reserved: bigint
  readonly #taxBps: bigint
  #quote: bigint
  #tokens = SUPPLY_UNITS

  /** `taxBps`: the creator's share of each trade. */
  constructor(thresholdUnits: bigint, taxBps: bigint) {
    this.thresholdUnits = thresholdUnits
    this.#taxBps = taxBps
    this.#phantom = (thresholdUnits * 4n) / 10n
    this.#quote = this.#phantom
    this.#reserved = (SUPPLY_UNITS * this.#phantom) / (this.#phantom + thresholdUnits)
  }
  get taxBps(): bigint {
    return this.#taxBps
  }
  /** Quote reserve without its virtual part. */
  get realQuoteUnits(): bigint {
    return this.#quote - this.#phantom
  }
  get tokenUnits(): bigint {
    return this.#tokens
  }
  /** A buy of more than is for sale is reduced, and the rest refunded. */
  buy(quoteIn: bigint, snipeBps: bigint): Bought {
    const sellable = this.#tokens - this.#reserved
    let spent = quoteIn
    let tokens = this.#out(this.#net(spent, snipeBps))
    const isFull = tokens >= sellable
    if (tokens > sellable) {
      tokens = sellable
      const net = (sellable * this.#quote) / (this.#tokens - sellable) + 1n
      const kept = BPS - FEE_BPS - this.#taxBps - snipeBps
      const gross = (net * BPS + kept - 1n) / kept
      spent = gross < quoteIn ? gross : quoteIn
    }
    this.#quote += this.#net(spent, snipeBps)
    this.#tokens -= tokens
    const [base, tax, snipe] = this.#legs(spent, snipeBps)
    return { spent, refund: quoteIn - spent, tokens, fee: base + snipe, tax, snipe, isFull }
  }
  sell(tokensIn: bigint): Sold {
    const gross = (tokensIn * this.#quote) / (this.#tokens + tokensIn)
    const [fee, tax] = [(gross * FEE_BPS) / BPS, (gross * this.#taxBps) / BPS]
    this.#quote -= gross
    this.#tokens += tokensIn
    return { quote: gross - fee - tax, fee, tax }
  }
  /** Fees buy tokens that are locked permanently; returns how many. If none would be left for sale, returns 0 and changes nothing. */
  buyback(quoteIn: bigint): bigint {
    const tokens = this.#out(quoteIn)
    if (tokens >= this.#tokens - this.#reserved) return 0n
    this.#quote += quoteIn
    this.#tokens -= tokens
    return tokens
  }

  #legs(spent: bigint, snipeBps: bigint): readonly [bigint, bigint, bigint] {
    return [(spent * FEE_BPS) / BPS, (spent * this.#taxBps) / BPS, (spent * snipeBps) / BPS]
  }
  #net(spent: bigint, snipeBps: bigint): bigint {
    return this.#legs(spent, snipeBps).reduce((rest, leg) => rest - leg, spent)
  }
  #out(net: bigint): bigint {
    return (net * this.#tokens) / (this.#quote + net)
  }
}
