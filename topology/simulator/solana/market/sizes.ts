// The sizes and times of trades: distributions fitted to recorded markets.
import type { Random } from '../../random.ts'

const SOL = 1_000_000_000
/** Amounts that people type. */
const ROUND_SOL = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10] as const
const ROUND_SHARE = 0.39

/** Trades of a curve before dust comes: the first hundred have little (table `curve-heads`), whole markets 24 % (2025-10). */
export const HEAD_TRADES = 100
const HEAD_DUST_SHARE = 0.03
const DUST_SHARE = 0.4
/** Of the other buys, the share of small amounts, and their `[median, sigma]` in SOL. */
const SMALL_SHARE = 0.55
const SMALL_SOL = [0.1, 0.75] as const

/** Net size of the n-th buy on the curve, lamports: dust, small amounts, and amounts around 0.75 SOL, which make most of the volume. */
export const curveBuyLamports = (random: Random, n: number): number => {
  if (random.chance(n < HEAD_TRADES ? HEAD_DUST_SHARE : DUST_SHARE)) return SOL * random.logUniform(0.0008, 0.02)
  return SOL * (random.chance(SMALL_SHARE) ? random.logNormal(...SMALL_SOL) : random.logNormal(0.75, 0.55))
}

/** Net size of a buy of a dust bot, lamports: steps of tracked curves that nobody else trades are 0.001 to 0.003 SOL (2025-06). */
export const dustBuyLamports = (random: Random): number => SOL * random.logUniform(0.0008, 0.005)

/** A round amount near the given one; undefined for wallets that do not round. */
export const roundedSpend = (random: Random, lamports: number): number | undefined => {
  if (!random.chance(ROUND_SHARE)) return undefined
  const sol = lamports / SOL
  const found = ROUND_SOL.find((round) => round >= sol * 0.8)
  return found === undefined || found > sol * 1.3 ? undefined : found * SOL
}

export const poolBuyLamports = (random: Random): number => SOL * Math.min(20, Math.max(0.001, random.logNormal(0.21, 1.6)))
export const poolSellLamports = (random: Random): number => SOL * Math.min(30, Math.max(0.001, random.logNormal(0.19, 1.8)))

/** Milliseconds until a wallet sells what it bought; infinity for a third of the wallets, which never sell. */
export const holdMs = (random: Random): number => (random.chance(0.34) ? Number.POSITIVE_INFINITY : random.logNormal(9_000, 1.1))

/** Exponent of the decline of trades after the launch: density (1 + t / scale)^-1.1. */
const THINNING_EXPONENT = 0.1

/** Ascending times of `count` trades within `durationMs`, generated one by one without a list. */
export class TradeTimes {
  readonly #random: Random
  readonly #mass: number
  readonly #scaleMs: number
  #left: number
  #point = 0

  /** `scaleMs`: how long the first trades come at their full rate. */
  constructor(random: Random, count: number, durationMs: number, scaleMs: number) {
    this.#random = random
    this.#scaleMs = scaleMs
    this.#left = count
    this.#mass = 1 - (1 + durationMs / scaleMs) ** -THINNING_EXPONENT
  }
  /** Number of times left. */
  get left(): number {
    return this.#left
  }
  /** Milliseconds after the start; undefined after the last. */
  next(): number | undefined {
    if (this.#left === 0) return undefined
    this.#point = 1 - (1 - this.#point) * this.#random.next() ** (1 / this.#left)
    this.#left--
    return this.#scaleMs * ((1 - this.#point * this.#mass) ** (-1 / THINNING_EXPONENT) - 1)
  }
}
