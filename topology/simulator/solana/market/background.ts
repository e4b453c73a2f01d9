// Activity unrelated to launches: pools that graduated long ago, and SOL transfers.
import type { Key } from '../../../../schemas/keys.ts'
import type { Random } from '../../random.ts'
import type { DemoEvent, DemoInstruction } from '../market-types.ts'
import { Pool, type PoolSwap } from './coin/pool.ts'
import { USDC } from './plan.ts'
import type { Actor } from './queue.ts'
import { poolBuyLamports } from './sizes.ts'
import type { SlotBuilder } from './slot-builder.ts'
import type { Population } from './wallets.ts'

/** Pool transactions a second at rate 1: with those of the demo's graduates and curves there are about 13 trades a second. */
const TRADES_PER_S = 7.1
const TRANSFERS_PER_S = 0.4
/** Pools at rate 1, and additional ones for each further unit of rate. */
const POOLS = 24
const POOLS_PER_RATE = 6
/** Share of old pools with SOL as base; among the other pools, the share with another quote than SOL. */
const SOL_BASE_SHARE = 0.3
const OTHER_QUOTE_SHARE = 0.1
/** Share of the buys whose transaction sells the coins again, the usual form of arbitrage. */
const ARBITRAGE_SHARE = 0.2
const LIQUIDITY_SHARE = 0.004
/** Share of the transactions that sell one coin for another over two pools: assumed. */
const ROUTE_SHARE = 0.01
/** Of what the first trade of a route brings, the second one spends so much, fees not included. */
const ROUTE_SPENT = 0.98
/** Number of remembered buyers of a pool; they are the sellers. */
const BUYERS_MAX = 48

interface OldPool {
  readonly mint: Key
  readonly key: Key
  readonly pool: Pool
  readonly coinIsBase: boolean
  readonly quoteMint: Key | null
  readonly meanPrice: number
  readonly buyers: { wallet: Key; units: number }[]
}

const openOldPool = (random: Random): OldPool => {
  const coinIsBase = !random.chance(SOL_BASE_SHARE)
  const quoteMint = coinIsBase && random.chance(OTHER_QUOTE_SHARE) ? USDC : null
  const quoteUnits = Math.round(random.logNormal(300e9, 1) * (quoteMint === null ? 1 : 0.15))
  // With SOL as the base, fees are taken in the coin: the SOL side changes only by the traded amount.
  const pool = new Pool(Math.round(random.between(20e12, 200e12)), quoteUnits, coinIsBase ? undefined : 0)
  return { mint: random.key(), key: random.key(), pool, coinIsBase, quoteMint, meanPrice: pool.price, buyers: [] }
}

/** Old pools: their launches are not in the stream, and their prices fluctuate around a mean. */
export class OldPools implements Actor {
  readonly #pools: readonly OldPool[]
  readonly #random: Random
  readonly #population: Population
  readonly #perMs: number
  nextMs: number

  constructor(startMs: number, rate: number, random: Random, population: Population) {
    this.#random = random
    this.#population = population
    this.#pools = Array.from({ length: Math.round(POOLS + POOLS_PER_RATE * rate) }, () => openOldPool(random))
    this.#perMs = (TRADES_PER_S * rate) / 1_000
    this.nextMs = startMs
  }
  act(slot: SlotBuilder): void {
    this.nextMs += this.#random.wait(this.#perMs)
    const old = this.#pools[this.#random.zipf(this.#pools.length, 0.5)] as OldPool
    if (this.#random.chance(LIQUIDITY_SHARE)) this.#liquidity(slot, old)
    else if (!(this.#random.chance(ROUTE_SHARE) && this.#route(slot, old))) this.#swap(slot, old)
  }
  #swap(slot: SlotBuilder, old: OldPool): void {
    const strain = Math.log(old.pool.price / old.meanPrice)
    const isBuy = this.#random.chance(Math.min(0.9, Math.max(0.1, 0.52 - strain)))
    const user = isBuy ? this.#population.trader() : (old.buyers[this.#random.int(old.buyers.length)]?.wallet ?? this.#population.trader())
    const first = isBuy ? this.#buy(old, user) : this.#sell(old, user)
    if (first === undefined) return
    const events = [this.#event(old, user, isBuy, first, slot.second)]
    const back = isBuy && this.#random.chance(ARBITRAGE_SHARE) ? old.pool.sell(first.tokenUnits) : undefined
    if (back === undefined) {
      slot.addContested(user, this.#instruction(old, user, events), Number.POSITIVE_INFINITY)
      return
    }
    if (old.buyers.at(-1)?.wallet === user) old.buyers.pop()
    const closing = [this.#event(old, user, false, back, slot.second)]
    slot.add(user, [this.#instruction(old, user, events), this.#instruction(old, user, closing)])
  }
  /** A wallet sells its coin of one pool and buys that of another, in one instruction; false if it cannot. */
  #route(slot: SlotBuilder, from: OldPool): boolean {
    const to = this.#random.pick(this.#pools)
    const user = from.buyers.at(-1)?.wallet
    if (user === undefined || to === from || [from, to].some(({ coinIsBase, quoteMint }) => !coinIsBase || quoteMint !== null)) return false
    const sold = this.#sell(from, user)
    const bought = sold && this.#buy(to, user, sold.userQuoteUnits * ROUTE_SPENT)
    if (sold === undefined) return false
    const events = [this.#event(from, user, false, sold, slot.second)]
    if (bought === undefined) slot.add(user, [this.#instruction(from, user, events)])
    else {
      const route = [...events, this.#event(to, user, true, bought, slot.second)]
      slot.add(user, [{ kind: 'launchpad', name: 'amm_multi_hop_swap', mint: from.mint, user, events: route }])
    }
    return true
  }
  #buy(old: OldPool, wallet: Key, spendUnits?: number): PoolSwap | undefined {
    const drawn = (): number => poolBuyLamports(this.#random) * (old.quoteMint === null ? 1 : 0.15)
    const tokenUnits = old.pool.tokensFor(Math.round(spendUnits ?? drawn()))
    if (tokenUnits <= 0) return undefined
    old.buyers.push({ wallet, units: tokenUnits })
    if (old.buyers.length > BUYERS_MAX) old.buyers.shift()
    return old.pool.buy(tokenUnits)
  }
  /** A buyer sells what it bought; the balance of any other wallet is unknown. */
  #sell(old: OldPool, wallet: Key): PoolSwap | undefined {
    const at = old.buyers.findIndex((buyer) => buyer.wallet === wallet)
    const units = at < 0 ? old.pool.tokensFor(Math.round(1e8)) : (old.buyers.splice(at, 1)[0]?.units ?? 0)
    return units > 0 ? old.pool.sell(units) : undefined
  }
  #instruction({ mint, coinIsBase }: OldPool, user: Key, events: readonly DemoEvent[]): Extract<DemoInstruction, { kind: 'launchpad' }> {
    const isBuy = events.some((event) => event.type === 'poolTrade' && event.isBuy)
    return { kind: 'launchpad', name: isBuy === coinIsBase ? 'amm_buy' : 'amm_sell', mint, user, events }
  }
  /** With SOL as the base, the tape has one amount of SOL and no virtual reserve. */
  #event({ mint, key, coinIsBase, quoteMint, pool }: OldPool, user: Key, isBuy: boolean, swap: PoolSwap, second: number): DemoEvent {
    const amounts = coinIsBase ? swap : { ...swap, userQuoteUnits: swap.quoteUnits }
    const virtualQuoteUnits = coinIsBase ? pool.virtualQuoteUnits : null
    const who = { mint, timestamp: second, pool: key, user }
    return { type: 'poolTrade', ...who, isBuy, isAgent: false, coinIsBase, quoteMint, ...amounts, virtualQuoteUnits }
  }
  #liquidity(slot: SlotBuilder, old: OldPool): void {
    const { mint, key, pool, coinIsBase, quoteMint } = old
    const isDeposit = this.#random.chance(0.5)
    const share = this.#random.between(0.001, 0.03)
    const { tokenUnits: poolTokenUnits, quoteUnits: poolQuoteUnits } = pool
    const tokenUnits = Math.floor(poolTokenUnits * share)
    const quoteUnits = Math.floor(poolQuoteUnits * share)
    pool.add(isDeposit ? tokenUnits : -tokenUnits, isDeposit ? quoteUnits : -quoteUnits)
    const user = this.#population.regular()
    const common = { mint, timestamp: slot.second, pool: key, user, isDeposit, coinIsBase, quoteMint }
    const amounts = { tokenUnits, quoteUnits, poolTokenUnits, poolQuoteUnits }
    const name = isDeposit ? 'amm_deposit' : 'amm_withdraw'
    slot.add(user, [{ kind: 'launchpad', name, mint, user, events: [{ type: 'poolLiquidity', ...common, ...amounts }] }])
  }
}

/** SOL transfers unrelated to launches, above and below the amount from which transfers are recorded. */
export class Bystanders implements Actor {
  readonly #random: Random
  readonly #population: Population
  readonly #perMs: number
  nextMs: number

  constructor(startMs: number, rate: number, random: Random, population: Population) {
    this.#random = random
    this.#population = population
    this.#perMs = (TRANSFERS_PER_S * rate) / 1_000
    this.nextMs = startMs
  }
  act(slot: SlotBuilder): void {
    this.nextMs += this.#random.wait(this.#perMs)
    const source = this.#population.regular()
    const lamports = Math.round(this.#random.logUniform(0.01, 50) * 1e9)
    slot.add(source, [{ kind: 'transfer', source, target: this.#random.key(), lamports }])
  }
}
