// A coin after its graduation: a rush of trades that thins out, and a price that rises and falls, until trading ends.
import type { Key } from '../../../../../schemas/keys.ts'
import type { Random } from '../../../random.ts'
import { boostVaultOf } from '../../bytes/accounts-of.ts'
import { FIXED } from '../../bytes/addresses.ts'
import type { DemoEvent } from '../../market-types.ts'
import { poolBuyLamports, poolSellLamports } from '../sizes.ts'
import type { SlotBuilder } from '../slot-builder.ts'
import type { Population } from '../wallets.ts'
import type { Coin } from './coin.ts'
import type { Pool, PoolSwap } from './pool.ts'

/** Trades a second of one graduate by its age in seconds (recorded: twelve graduates, their first five minutes). */
const RATES: readonly (readonly [untilS: number, perSecond: number])[] = [
  [5, 7.3],
  [10, 6.5],
  [30, 4.3],
  [60, 3.2],
  [120, 2],
  [180, 1.8],
  [300, 1.3],
]
const LATE_RATE = 1.3
const LATE_S = 300
/** Share of coins that lose nine tenths within half an hour; the others fade more slowly. The exponents are assumed. */
const DYING_SHARE = 0.6
const DYING_EXPONENT = 1.7
const LIVING_EXPONENT = 0.85
/** Largest factor by which sells grow while the price is above the intended one. */
const PRESSURE_MAX = 30
const LIFE_MS: readonly [dying: number, living: number] = [40 * 60_000, 4 * 3_600_000]
const LIFE_MS_MAX = 12 * 3_600_000
const GAP_MS_MAX = 600_000
/** Chance that a trade is in the slot of the previous trade. */
const JOINS_SHARE = 0.3
const LIQUIDITY_SHARE = 0.002
/** Final price of a dying coin relative to its opening price: five of twelve are at 4 % or below (recorded); the range is assumed. */
const DYING_FLOOR: readonly [low: number, high: number] = [0.01, 0.06]
/**
 * Share of pools without a boost whose liquidity is withdrawn, when, and what is left. Recorded is one withdrawal, of all but a few units,
 * from a pool that the launchpad did not open; the launchpad burns the shares of pools that it opens. Withdrawals from those, their share
 * and time, and what they leave are assumed, so that the flag for withdrawals has something to find.
 */
const PULLED_SHARE = 0.5
const PULLED_MS = 8 * 60_000
const PULLED_MS_MIN = 60_000
const LEFT_SHARE: readonly [low: number, high: number] = [0.02, 0.15]
/** Trading continues for this long after a withdrawal: assumed. */
const AFTERMATH_MS = 5 * 60_000
/** Of its vault, the launchpad spends this part with each purchase (recorded once); the interval is assumed. */
const BOOST_SHARE = 0.03
const BOOST_EVERY_MS = 300_000
/** Trades of the first minute are larger: 41 % of the volume of five minutes is in it. */
const RUSH_FACTOR = 1.15

export class PoolStory {
  readonly #coin: Coin
  readonly #pool: Pool
  readonly #random: Random
  readonly #population: Population
  readonly #openedMs: number
  readonly #activity: number
  readonly #isDying: boolean
  readonly #floor: number
  #lifeMs: number
  /** Time after the opening; infinity for never. */
  #pulledMs: number
  readonly #openingPrice: number
  readonly #peakMultiple: number
  readonly #peakMs: number
  #nextMs: number
  #boostMs: number

  constructor(coin: Coin, pool: Pool, random: Random, population: Population, openedMs: number) {
    this.#coin = coin
    this.#pool = pool
    this.#random = random
    this.#population = population
    this.#openedMs = openedMs
    this.#activity = random.logNormal(coin.plan.ending === 'organic' ? 0.9 : 0.6, 0.5)
    this.#isDying = random.chance(DYING_SHARE)
    this.#floor = this.#isDying ? random.logUniform(...DYING_FLOOR) : 0.2
    const isPulled = pool.virtualQuoteUnits === 0 && random.chance(PULLED_SHARE)
    this.#pulledMs = isPulled ? Math.max(PULLED_MS_MIN, random.logNormal(PULLED_MS, 0.8)) : Number.POSITIVE_INFINITY
    this.#lifeMs = Math.min(LIFE_MS_MAX, random.logNormal(LIFE_MS[this.#isDying ? 0 : 1], 0.7))
    this.#openingPrice = pool.price
    this.#peakMultiple = Math.min(40, 1 + random.logNormal(0.6, 1.2))
    this.#peakMs = Math.min(this.#lifeMs / 2, random.logNormal(100_000, 1.6))
    this.#nextMs = openedMs + 400
    this.#boostMs = pool.virtualQuoteUnits === 0 ? Number.POSITIVE_INFINITY : openedMs + BOOST_EVERY_MS
  }
  get nextMs(): number {
    return this.#nextMs === Number.POSITIVE_INFINITY ? this.#nextMs : Math.min(this.#nextMs, this.#boostMs)
  }
  act(slot: SlotBuilder): void {
    if (this.#boostMs < this.#nextMs) {
      this.#boost(slot)
      return
    }
    const ageMs = this.#nextMs - this.#openedMs
    if (ageMs >= this.#pulledMs) this.#pull(slot, ageMs)
    else if (this.#random.chance(LIQUIDITY_SHARE)) this.#deposit(slot)
    else if (this.#random.chance(this.#buyChance(ageMs))) this.#buy(slot, ageMs)
    else this.#sell(slot, ageMs)
    this.#advance(ageMs)
  }
  #advance(ageMs: number): void {
    if (this.#random.chance(JOINS_SHARE)) return
    const waitMs = this.#random.wait(this.#rate(ageMs / 1_000) * this.#activity * (1 - JOINS_SHARE)) * 1_000
    const nextMs = this.#nextMs + Math.min(GAP_MS_MAX, waitMs)
    this.#nextMs = nextMs - this.#openedMs > this.#lifeMs ? Number.POSITIVE_INFINITY : nextMs
  }
  #rate(ageS: number): number {
    const early = RATES.find(([untilS]) => ageS < untilS)
    return early?.[1] ?? LATE_RATE * (LATE_S / ageS) ** (this.#isDying ? DYING_EXPONENT : LIVING_EXPONENT)
  }
  /** Intended price at an age, as a multiple of the opening price. */
  #goal(ageMs: number): number {
    if (ageMs < this.#peakMs) return this.#peakMultiple ** (ageMs / this.#peakMs)
    const fall = (ageMs - this.#peakMs) / (this.#isDying ? 600_000 : 7_200_000)
    return Math.max(this.#floor, this.#peakMultiple * Math.exp(-fall))
  }
  #buyChance(ageMs: number): number {
    const usual = ageMs < 1_400 ? 0.98 : ageMs < 5_400 ? 0.67 : 0.55
    if (ageMs < 5_400) return usual
    const short = Math.log(this.#goal(ageMs)) - Math.log(this.#pool.price / this.#openingPrice)
    return Math.min(0.8, Math.max(0.3, usual + 0.6 * short))
  }
  /** Factor for sells: they are larger while the price is above the intended one. */
  #pressure(ageMs: number): number {
    return Math.min(PRESSURE_MAX, Math.max(1, this.#pool.price / this.#openingPrice / this.#goal(ageMs)))
  }
  #buy(slot: SlotBuilder, ageMs: number): void {
    const { holdings } = this.#coin
    const holder = this.#random.chance(0.2) ? holdings.any(this.#random) : undefined
    const wallet = holder?.wallet ?? this.#population.trader()
    const spend = poolBuyLamports(this.#random) * (ageMs < 60_000 ? RUSH_FACTOR : 1)
    const tokenUnits = this.#pool.tokensFor(Math.round(spend))
    if (tokenUnits <= 0) return
    const holdMs = this.#random.chance(0.34) ? Number.POSITIVE_INFINITY : this.#random.logNormal(14_000 + ageMs / 4, 1)
    holdings.add(wallet, tokenUnits, this.#nextMs + holdMs)
    this.#trade(slot, wallet, true, this.#pool.buy(tokenUnits))
  }
  #sell(slot: SlotBuilder, ageMs: number): void {
    const { holdings } = this.#coin
    const holding = holdings.impatient(this.#random) ?? holdings.any(this.#random)
    if (holding === undefined) return
    const size = poolSellLamports(this.#random) * (ageMs < 60_000 ? RUSH_FACTOR : this.#pressure(ageMs))
    const wanted = Math.ceil(size / this.#pool.price)
    const closes = holding.units <= wanted || (holding.units <= wanted * 6 && this.#random.chance(0.6))
    const tokenUnits = closes ? holding.units : wanted
    const swap = this.#pool.sell(tokenUnits)
    if (swap === undefined) return
    const { wallet } = holding
    holdings.take(holding, tokenUnits)
    this.#trade(slot, wallet, false, swap)
  }
  #trade(slot: SlotBuilder, user: Key, isBuy: boolean, swap: PoolSwap): void {
    const { mint, pool, plan } = this.#coin
    const event: DemoEvent = {
      type: 'poolTrade',
      mint,
      timestamp: slot.second,
      pool,
      user,
      isBuy,
      isAgent: false,
      coinIsBase: true,
      quoteMint: plan.quoteMint,
      ...swap,
      virtualQuoteUnits: this.#pool.virtualQuoteUnits,
    }
    const events = this.#coin.told([event], slot.number)
    slot.addContested(user, this.#coin.instruction(isBuy ? 'amm_buy' : 'amm_sell', user, events), Number.POSITIVE_INFINITY)
  }
  /** The launchpad buys coins from the vault of the boost and burns them, until the vault is empty. */
  #boost(slot: SlotBuilder): void {
    const { mint, pool } = this.#coin
    const virtualQuoteUnits = this.#pool.virtualQuoteUnits
    const lastMs = this.#openedMs + BOOST_EVERY_MS * Math.floor(1 / BOOST_SHARE)
    this.#boostMs = this.#boostMs < lastMs ? this.#boostMs + BOOST_EVERY_MS : Number.POSITIVE_INFINITY
    const swap = this.#pool.burn(Math.round(virtualQuoteUnits * BOOST_SHARE))
    const common = { mint, timestamp: slot.second, pool }
    const sides = { coinIsBase: true, quoteMint: null }
    const events: DemoEvent[] = [
      { type: 'poolTrade', ...common, user: boostVaultOf(pool), isBuy: true, isAgent: true, ...sides, ...swap, virtualQuoteUnits },
      { type: 'poolBoost', ...common, virtualQuoteUnits, realQuoteUnitsAfter: this.#pool.quoteUnits },
    ]
    const keeper = FIXED.boostAuthority
    slot.add(keeper, [this.#coin.instruction('amm_boost_buy_and_burn', keeper, this.#coin.told(events, slot.number))])
  }
  /** A holder becomes a liquidity provider. */
  #deposit(slot: SlotBuilder): void {
    const { holdings } = this.#coin
    const holding = holdings.any(this.#random)
    if (holding === undefined) return
    const tokenUnits = Math.min(holding.units, Math.floor(this.#pool.tokenUnits * 0.01))
    const quoteUnits = Math.ceil((tokenUnits / this.#pool.tokenUnits) * this.#pool.quoteUnits)
    if (tokenUnits <= 0) return
    holdings.take(holding, tokenUnits)
    this.#liquidity(slot, holding.wallet, true, { tokenUnits, quoteUnits })
  }
  /** The creator withdraws the liquidity; few trades follow. */
  #pull(slot: SlotBuilder, ageMs: number): void {
    this.#pulledMs = Number.POSITIVE_INFINITY
    this.#lifeMs = Math.min(this.#lifeMs, ageMs + this.#random.logNormal(AFTERMATH_MS, 0.8))
    const taken = 1 - this.#random.between(...LEFT_SHARE)
    const { user, holdings } = this.#coin
    const tokenUnits = Math.floor(this.#pool.tokenUnits * taken)
    holdings.add(user, tokenUnits, Number.POSITIVE_INFINITY)
    this.#liquidity(slot, user, false, { tokenUnits, quoteUnits: Math.floor(this.#pool.quoteUnits * taken) })
  }
  #liquidity(
    slot: SlotBuilder,
    user: Key,
    isDeposit: boolean,
    amounts: { readonly tokenUnits: number; readonly quoteUnits: number },
  ): void {
    const { mint, pool, plan } = this.#coin
    const { tokenUnits: poolTokenUnits, quoteUnits: poolQuoteUnits } = this.#pool
    const sign = isDeposit ? 1 : -1
    this.#pool.add(sign * amounts.tokenUnits, sign * amounts.quoteUnits)
    const what = { mint, timestamp: slot.second, pool, user, isDeposit, coinIsBase: true, quoteMint: plan.quoteMint }
    const events = this.#coin.told([{ type: 'poolLiquidity', ...what, ...amounts, poolTokenUnits, poolQuoteUnits }], slot.number)
    slot.add(user, [this.#coin.instruction(isDeposit ? 'amm_deposit' : 'amm_withdraw', user, events)])
  }
}
