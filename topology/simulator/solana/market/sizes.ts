// The sizes and times of trades: distributions fitted to recorded markets.
import type { Random } from '../../random.ts'

const SOL = 1_000_000_000
/** Amounts that people type. */
const ROUND_SOL = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10] as const
const ROUND_SHARE = 0.39

/** Net size of a buy on the curve, lamports: dust, small amounts, and amounts around 0.75 SOL, which make most of the volume. */
export const curveBuyLamports = (random: Random): number => {
  const point = random.next()
  if (point < 0.24) return SOL * random.logUniform(0.0008, 0.02)
  return SOL * (point < 0.6 ? random.logNormal(0.07, 0.85) : random.logNormal(0.75, 0.55))
}

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

/** Scale and exponent of the decline of trades after the launch: density (1 + t / 15 s)^-1.1. */
const THINNING_MS = 15_000
const THINNING_EXPONENT = 0.1

/** Ascending times of `count` trades within `durationMs`, generated one by one without a list. */
export class TradeTimes {
  readonly #random: Random
  readonly #mass: number
  #left: number
  #point = 0

  constructor(random: Random, count: number, durationMs: number) {
    this.#random = random
    this.#left = count
    this.#mass = 1 - (1 + durationMs / THINNING_MS) ** -THINNING_EXPONENT
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
    return THINNING_MS * ((1 - this.#point * this.#mass) ** (-1 / THINNING_EXPONENT) - 1)
  }
}
