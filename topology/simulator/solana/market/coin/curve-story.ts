// The life of a coin on its curve: launch, planned buyers, the crowd, the exits.

import type { Random } from '../../../random.ts'
import type { DemoEvent } from '../../market-types.ts'
import { TradeTimes } from '../sizes.ts'
import type { SlotBuilder } from '../slot-builder.ts'
import type { Population } from '../wallets.ts'
import type { Coin } from './coin.ts'
import { CurveFlow, type Wish } from './curve-flow.ts'

/** A planned action. Milliseconds after the launch. */
export interface Appointment {
  readonly afterMs: number
  readonly act: (slot: SlotBuilder, nowMs: number) => void
}

/** Longest pause before the migration: outcomes settle after an hour without trades. */
const SILENCE_MS_MAX = 3_000_000
/** Interval between the exits at the end, and their maximum number. */
const EXIT_MS: readonly [number, number] = [400, 9_000]
const EXITS_MAX = 200
/** Interval between holders that leave right after the peak: assumed. */
const LEAVING_MS: readonly [number, number] = [100, 15_000]
/** A drain is complete at this share of the peak. */
const DRAINED_SHARE = 0.2
/** Holdings that are worth less stay. */
const LEFT_LAMPORTS = 8_000_000

export class CurveStory {
  readonly #coin: Coin
  readonly #random: Random
  readonly #population: Population
  readonly #launchedMs: number
  readonly #appointments: Appointment[] = []
  readonly #flow: CurveFlow
  readonly #times: TradeTimes
  #n = 0
  #exits = 0
  #flowMs: number | undefined
  #lastMs: number
  #isComplete = false

  /** `trades`: number of trades by the crowd after the create slot. */
  constructor(coin: Coin, random: Random, population: Population, launchedMs: number, trades: number) {
    this.#coin = coin
    this.#random = random
    this.#population = population
    this.#launchedMs = launchedMs
    this.#lastMs = launchedMs
    this.#flow = new CurveFlow(coin, random, population, trades)
    this.#times = new TradeTimes(random, trades, coin.plan.durationMs, coin.plan.rushMs)
    this.#advance()
    if (coin.plan.leavesAfterMs !== Number.POSITIVE_INFINITY) this.#appointLeaving(coin.plan.leavesAfterMs)
    if (coin.plan.devSells !== 'none' && coin.plan.ending !== 'self')
      this.appoint({ afterMs: coin.plan.devSellsAfterMs, act: (slot) => this.#devSells(slot) })
  }
  get flow(): CurveFlow {
    return this.#flow
  }
  get isComplete(): boolean {
    return this.#isComplete
  }
  /** Time of the next action, unix milliseconds; infinity at the end of the story. */
  get nextMs(): number {
    if (this.#isComplete) return Number.POSITIVE_INFINITY
    const appointment = this.#appointments[0]
    const appointedMs = appointment === undefined ? Number.POSITIVE_INFINITY : this.#launchedMs + appointment.afterMs
    return Math.min(appointedMs, this.#flowMs ?? Number.POSITIVE_INFINITY)
  }
  appoint(appointment: Appointment): void {
    this.#appointments.push(appointment)
    this.#appointments.sort((a, b) => a.afterMs - b.afterMs)
  }
  act(slot: SlotBuilder): void {
    const appointment = this.#appointments[0]
    const nowMs = this.nextMs
    if (appointment !== undefined && this.#launchedMs + appointment.afterMs === nowMs) {
      this.#appointments.shift()
      appointment.act(slot, nowMs)
    } else {
      this.#crowd(slot, nowMs)
      this.#advance()
    }
    this.#lastMs = Math.max(this.#lastMs, nowMs)
  }
  /** Executes a trade on the curve; returns its events. */
  trade(wish: Wish, slot: SlotBuilder): DemoEvent[] {
    const { holdings } = this.#coin
    if (wish.type === 'sell') {
      const { holding, tokenUnits } = wish
      const { wallet } = holding
      holdings.take(holding, tokenUnits)
      return this.#coin.sell(wallet, tokenUnits, slot)
    }
    const events = this.#coin.buy(wish.wallet, wish.tokenUnits, slot)
    holdings.add(wish.wallet, wish.tokenUnits, wish.dueMs)
    if (events.length > 1) this.#isComplete = true
    return events
  }
  /** Sends a trade in a separate transaction, with failed attempts of other wallets. */
  send(wish: Wish | undefined, slot: SlotBuilder): void {
    if (wish === undefined || this.#isComplete) return
    const wallet = wish.type === 'sell' ? wish.holding.wallet : wish.wallet
    const events = this.trade(wish, slot)
    const age = slot.number - this.#coin.launchSlot
    slot.addContested(wallet, this.#coin.instruction(this.#nameOf(wish), wallet, events), age)
  }
  #nameOf(wish: Wish) {
    const isV2 = this.#coin.plan.quoteMint !== null || this.#random.chance(0.4)
    if (wish.type === 'sell') return isV2 ? 'sell_v2' : 'sell'
    return wish.isExactIn && this.#coin.plan.quoteMint === null ? 'buy_exact_sol_in' : isV2 ? 'buy_v2' : 'buy'
  }
  #crowd(slot: SlotBuilder, nowMs: number): void {
    const { plan, curve } = this.#coin
    const isLast = this.#times.left === 0
    if (isLast && this.#exits > 0) this.send(this.#exit(), slot)
    else if (isLast && (plan.ending === 'organic' || plan.ending === 'low')) this.#finish(slot)
    else {
      const wish = this.#flow.next(this.#n++, nowMs)
      const isEarly = plan.ending !== 'open' && wish?.type === 'buy' && wish.tokenUnits >= curve.realTokenUnits
      if (!isEarly) this.send(wish, slot)
    }
  }
  #advance(): void {
    const afterMs = this.#times.next()
    if (afterMs === undefined) {
      const isExiting = this.#mustExit() && this.#exits++ < EXITS_MAX
      this.#flowMs = isExiting ? this.#lastMs + this.#random.between(...EXIT_MS) : undefined
      return
    }
    const previousMs = this.#flowMs ?? this.#launchedMs
    const dueMs = this.#launchedMs + afterMs
    if (this.#n > 0 && this.#random.chance(this.#coin.plan.joinsShare)) this.#flowMs = previousMs
    else
      this.#flowMs =
        dueMs - previousMs > SILENCE_MS_MAX ? previousMs + SILENCE_MS_MAX * this.#random.between(0.2, 1) : Math.max(previousMs, dueMs)
  }
  /** Holders leave one after the other once the peak is over. */
  #appointLeaving(afterMs: number): void {
    const act = (slot: SlotBuilder): void => {
      if (this.#flow.isBeforePeak(this.#n)) {
        this.#appointLeaving(afterMs + this.#random.between(...EXIT_MS))
        return
      }
      this.#flow.leave()
      const wish = this.#exit()
      if (wish === undefined || wish.type !== 'sell' || this.#coin.curve.worthOf(wish.tokenUnits) < LEFT_LAMPORTS) return
      this.send(wish, slot)
      this.#appointLeaving(afterMs + this.#random.logUniform(...LEAVING_MS))
    }
    this.appoint({ afterMs, act })
  }
  #mustExit(): boolean {
    const { plan, curve, truth, holdings } = this.#coin
    return plan.drains && !this.#isComplete && holdings.size > 0 && curve.realQuoteUnits > truth.peakLamports * DRAINED_SHARE
  }
  #exit(): Wish | undefined {
    const { holdings, plan, user } = this.#coin
    const holding = holdings.largest(plan.devSells === 'all' ? undefined : user)
    return holding === undefined ? undefined : this.#flow.sellOf(holding, holding.units, 0)
  }
  /** The last buy takes all remaining coins, and continues in the pool if the migration is synthetic. */
  #finish(slot: SlotBuilder): void {
    const { curve, plan } = this.#coin
    const wallet = this.#population.curveTrader()
    const wish: Wish = { type: 'buy', wallet, tokenUnits: curve.realTokenUnits, isExactIn: false, dueMs: Number.POSITIVE_INFINITY }
    if (!plan.isSynthetic) {
      this.send(wish, slot)
      return
    }
    const events = [...this.trade(wish, slot), this.#coin.buyBeyond(wallet, this.#random.logUniform(0.3e9, 15e9), slot)]
    slot.addContested(wallet, this.#coin.instruction('buy_v2', wallet, events), slot.number - this.#coin.launchSlot)
  }
  /** The creator sells all, or less than half, as planned. */
  #devSells(slot: SlotBuilder): void {
    const { plan, holdings, user } = this.#coin
    const holding = holdings.find(user)
    if (holding === undefined) return
    const units = plan.devSells === 'all' ? holding.units : Math.ceil(holding.units * this.#random.between(0.1, 0.45))
    this.send(this.#flow.sellOf(holding, units, plan.devSells === 'all' ? 0 : this.#flow.floorUnits), slot)
  }
}
