// Decides who trades next on a curve, and how much: random, biased towards the planned path of the launch.
import type { Key } from '../../../../../schemas/keys.ts'
import type { Random } from '../../../random.ts'
import { FILLING_LAMPORTS } from '../plan.ts'
import { curveBuyLamports, HEAD_TRADES, holdMs, roundedSpend } from '../sizes.ts'
import type { Population } from '../wallets.ts'
import type { Coin } from './coin.ts'
import { netOfSpend } from './curve.ts'
import type { Holding } from './holdings.ts'

/**
 * Chances that a buy follows a buy, and that a buy follows a sell. In whole markets they are 0.72 and 0.24 (2025-10). The first hundred
 * trades of a curve have more (table `curve-heads`: 0.84 and 0.58 for curves that fill and others, in the median), so the rest has fewer.
 */
interface Signs {
  readonly afterBuy: number
  readonly afterSell: number
}
const FILLING_HEAD_SIGNS: Signs = { afterBuy: 0.85, afterSell: 0.5 }
const HEAD_SIGNS: Signs = { afterBuy: 0.6, afterSell: 0.28 }
const LATER_SIGNS: Signs = { afterBuy: 0.68, afterSell: 0.2 }
/** Share of sells that close the position (recorded: 98 %); the others sell a part. */
const CLOSES_SHARE = 0.9
/** The same for holders that sell before the peak although they want to stay. */
const EARLY_CLOSES_SHARE = 0.1
/** Buys that make up for a lack of buyers are at most this large, unless too few trades are left: 90 % of the buys in `curve-heads` are smaller. */
const CATCH_UP_LAMPORTS = 2_200_000_000
/** Share of buys by a wallet that already holds the coin. */
const TOP_UP_SHARE = 0.22
/** Smaller amounts are not traded, lamports. */
const DUST_LAMPORTS = 800_000
/** A curve that must not be drained never falls below this share of its peak: the rule's 25 % plus a margin. */
const FLOOR_SHARE = 0.3

/** An intended trade on the curve; amounts in coin base units. */
export type Wish =
  | { readonly type: 'buy'; readonly wallet: Key; readonly tokenUnits: number; readonly isExactIn: boolean; readonly dueMs: number }
  | { readonly type: 'sell'; readonly holding: Holding; readonly tokenUnits: number }

export class CurveFlow {
  readonly #coin: Coin
  readonly #random: Random
  readonly #population: Population
  readonly #trades: number
  readonly #peakAt: number
  #wasBuy = true
  #isLeft = false

  /** `trades`: how often `next` will be called. */
  constructor(coin: Coin, random: Random, population: Population, trades: number) {
    this.#coin = coin
    this.#random = random
    this.#population = population
    this.#trades = trades
    this.#peakAt = Math.max(0, Math.ceil(coin.plan.rise * trades) - 1)
  }
  /** The n-th trade, from 0; undefined if the curve allows none. */
  next(n: number, nowMs: number): Wish | undefined {
    const wish = this.#wantsBuy(n) ? (this.#buy(n, nowMs) ?? this.#sell(n)) : (this.#sell(n) ?? this.#buy(n, nowMs))
    if (wish !== undefined) this.#wasBuy = wish.type === 'buy'
    return wish
  }
  /** A buy of a net size in lamports of the plan; undefined if that is less than a coin unit. */
  buyOf(wallet: Key, lamports: number, dueMs: number): Wish | undefined {
    const tokenUnits = this.#coin.curve.tokensFor(Math.round(lamports * this.#coin.scale))
    return tokenUnits > 0 ? { type: 'buy', wallet, tokenUnits, isExactIn: false, dueMs } : undefined
  }
  /** A sell of at most `tokenUnits` of a holding that leaves the real reserve at `leastUnits` or above; undefined if that is nothing. */
  sellOf(holding: Holding, tokenUnits: number, leastUnits: number): Wish | undefined {
    const { curve } = this.#coin
    let units = tokenUnits
    const mostUnits = Math.max(0, curve.realQuoteUnits - leastUnits)
    if (curve.worthOf(units) > mostUnits) units = Math.min(units, Math.floor(curve.tokensWorth(mostUnits) * 0.9999))
    if (units <= 0 || curve.worthOf(units) > curve.realQuoteUnits || curve.worthOf(units) === 0) return undefined
    return { type: 'sell', holding, tokenUnits: units }
  }
  /** The curve must not fall below this, quote units. */
  get floorUnits(): number {
    const { plan, truth } = this.#coin
    return plan.drains || plan.quoteMint !== null || plan.ending !== 'open'
      ? 0
      : truth.peakLamports >= 4.5e9 && plan.devSells !== 'all'
        ? truth.peakLamports * FLOOR_SHARE
        : 0
  }
  isBeforePeak(n: number): boolean {
    return n <= this.#peakAt
  }
  /** From now on the crowd keeps the curve at its end. */
  leave(): void {
    this.#isLeft = true
  }
  /** Intended real reserve at the n-th trade, quote units. */
  #goal(n: number): number {
    const { plan } = this.#coin
    const peak = this.#peakUnits()
    if (this.#isLeft) return peak * plan.endShare
    if (n <= this.#peakAt) return peak * (0.25 + 0.75 * ((n + 1) / (this.#peakAt + 1)) ** 0.8)
    const fall = (n - this.#peakAt) / Math.max(1, this.#trades - this.#peakAt)
    const steepness = plan.archetype === 'slow_drain' ? 1 : plan.drains ? 5 : 1.5
    return peak * (plan.endShare + (1 - plan.endShare) * (1 - fall) ** steepness)
  }
  /** The planned peak; for a mayhem curve that closes low, the curve's reserve at its end. */
  #peakUnits(): number {
    const { plan, scale, curve } = this.#coin
    return plan.ending === 'low' ? curve.realQuoteUnits + curve.costOf(curve.realTokenUnits) : plan.peakLamports * scale
  }
  #wantsBuy(n: number): boolean {
    const real = this.#coin.curve.realQuoteUnits
    const goal = this.#goal(n)
    if (n === this.#peakAt) return true
    if (n < this.#peakAt && real < 0.5 * goal && this.#random.chance(0.4)) return true
    if (real > 1.1 * goal && this.#random.chance(0.6)) return false
    const { afterBuy, afterSell } = this.#signs(n)
    return this.#random.chance(this.#wasBuy ? afterBuy : afterSell)
  }
  #signs(n: number): Signs {
    if (n >= HEAD_TRADES || this.#coin.plan.mayhem) return LATER_SIGNS
    return this.#coin.plan.peakLamports >= FILLING_LAMPORTS ? FILLING_HEAD_SIGNS : HEAD_SIGNS
  }
  #buy(n: number, nowMs: number): Wish | undefined {
    const { curve, plan, scale } = this.#coin
    const room = (this.#peakUnits() - curve.realQuoteUnits) / scale
    const short = (this.#goal(n) - curve.realQuoteUnits) / scale
    const isLast = n === this.#peakAt && plan.ending === 'open'
    let lamports = curveBuyLamports(this.#random, n)
    const most = Math.max(CATCH_UP_LAMPORTS, (4 * room) / Math.max(1, this.#peakAt - n))
    const isCatchUp = n <= this.#peakAt && short > lamports && this.#random.chance(0.35)
    if (isCatchUp) lamports = Math.min(most, short) * this.#random.between(0.3, 1)
    if (n > this.#peakAt) lamports = Math.min(lamports, Math.max(short, plan.peakLamports * 0.3))
    if (!isLast && lamports > room && this.#coin.holdings.size > 1 && this.#random.chance(0.6)) return undefined
    lamports = isLast ? room : Math.min(lamports, room * this.#random.between(0.3, 1))
    if (lamports < Math.min(DUST_LAMPORTS, plan.peakLamports / 50)) return undefined
    const dueMs = isCatchUp ? Number.POSITIVE_INFINITY : nowMs + holdMs(this.#random)
    const spend = isLast ? undefined : roundedSpend(this.#random, lamports)
    const wallet = this.#buyer()
    if (spend === undefined || spend > room) return this.buyOf(wallet, lamports, dueMs)
    const tokenUnits = curve.tokensFor(netOfSpend(Math.round(spend * scale)))
    return tokenUnits > 0 ? { type: 'buy', wallet, tokenUnits, isExactIn: true, dueMs } : undefined
  }
  #buyer(): Key {
    const holder = this.#random.chance(TOP_UP_SHARE) ? this.#coin.holdings.any(this.#random) : undefined
    return holder === undefined || holder.wallet === this.#coin.user ? this.#population.curveTrader() : holder.wallet
  }
  #sell(n: number): Wish | undefined {
    const { holdings, curve, user } = this.#coin
    const due = holdings.impatient(this.#random)
    const isEarly = due === undefined && n <= this.#peakAt
    const holding = due ?? (isEarly ? (n < HEAD_TRADES ? undefined : holdings.any(this.#random)) : holdings.largerOfTwo(this.#random))
    if (holding === undefined || holding.wallet === user) return undefined
    const isWhole = this.#random.chance(isEarly ? EARLY_CLOSES_SHARE : CLOSES_SHARE)
    const units = isWhole ? holding.units : Math.ceil(holding.units * this.#random.between(0.05, 0.5))
    const least = Math.max(this.floorUnits, this.#goal(n) * (n <= this.#peakAt ? 0.2 : 0.3))
    return this.sellOf(holding, units, Math.min(least, curve.realQuoteUnits))
  }
}
