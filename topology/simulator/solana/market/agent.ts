// The launchpad's mayhem agent: trades that cost it almost nothing and move the curve's virtual reserves.
import { MAYHEM_AGENT } from '../../../../processors/chains/solana/programs.ts'
import type { Random } from '../../random.ts'
import type { Coin } from './coin/coin.ts'
import type { CurveStory } from './coin/curve-story.ts'
import type { SlotBuilder } from './slot-builder.ts'

/** A trade of the agent moves the virtual quote by about this multiple of what it pays (recorded: 340 to 513 in one coin). */
const LEVERAGE: readonly [number, number] = [340, 513]
/** Part of the coins moved by one trade, and the limit of trades per coin: assumed. */
const TOKEN_SHARE: readonly [number, number] = [0.0005, 0.006]
const TRADES_MAX = 25
const EVERY_MS = 25_000
/** Virtual minus real quote: 30e9 at the start, recorded down to 15.67e9. */
const OFFSET_LAMPORTS: readonly [number, number] = [16e9, 34e9]
/** Target of virtual minus real quote if a curve is to close far below 84 SOL. */
const LOW_VIRTUAL_LAMPORTS: readonly [number, number] = [7e9, 14e9]

export class MayhemAgent {
  readonly #coin: Coin
  readonly #random: Random
  #bought = 0
  #left: number

  constructor(coin: Coin, random: Random) {
    this.#coin = coin
    this.#random = random
    this.#left = random.int(TRADES_MAX)
  }
  /** Schedules trades while the curve is open. */
  appoint(story: CurveStory, afterMs: number): void {
    if (afterMs > this.#coin.plan.durationMs || this.#left-- <= 0) return
    story.appoint({
      afterMs,
      act: (slot) => {
        this.#trade(slot)
        this.appoint(story, afterMs + this.#random.logNormal(EVERY_MS, 1))
      },
    })
  }
  /** Lowers the virtual quote without a trade, so that the coins sell out for little. */
  lower(slot: SlotBuilder): void {
    const { curve, mint, launchSlot } = this.#coin
    const target = Math.round(this.#random.between(...LOW_VIRTUAL_LAMPORTS)) + curve.realQuoteUnits
    curve.move(0, target - curve.virtualQuoteUnits, 0)
    const { virtualTokenUnits, virtualQuoteUnits, realTokenUnits, realQuoteUnits } = curve
    const reserves = { virtualTokenUnits, virtualQuoteUnits, realTokenUnits, realQuoteUnits }
    const events = this.#coin.told([{ type: 'mayhemReserves', mint, timestamp: slot.second, ...reserves }], launchSlot)
    slot.add(this.#keeper, [this.#coin.instruction('set_mayhem_virtual_params', MAYHEM_AGENT, events)])
  }
  /** The agent has no key. On the chain a keeper signs its transactions; here the wallet that called create does. */
  get #keeper() {
    return this.#coin.user
  }
  #trade(slot: SlotBuilder): void {
    const { curve } = this.#coin
    const isBuy = this.#bought === 0 || this.#random.chance(0.5)
    const share = Math.floor(curve.realTokenUnits * this.#random.between(...TOKEN_SHARE))
    const tokenUnits = isBuy ? share : Math.min(share, this.#bought)
    const natural = isBuy ? curve.costOf(tokenUnits) : curve.worthOf(tokenUnits)
    const paid = Math.ceil(natural / this.#random.between(...LEVERAGE))
    const offset = curve.virtualQuoteUnits - curve.realQuoteUnits + (isBuy ? natural : -natural) * this.#random.between(0.6, 1.3)
    if (tokenUnits <= 0 || (!isBuy && paid > curve.realQuoteUnits)) return
    const bounded = Math.round(Math.min(OFFSET_LAMPORTS[1], Math.max(OFFSET_LAMPORTS[0], offset)))
    const realMove = isBuy ? paid : -paid
    this.#bought += isBuy ? tokenUnits : -tokenUnits
    curve.move(isBuy ? -tokenUnits : tokenUnits, bounded + curve.realQuoteUnits + realMove - curve.virtualQuoteUnits, realMove)
    const events = this.#coin.told([this.#coin.trade(MAYHEM_AGENT, isBuy, tokenUnits, paid, slot.second)], slot.number)
    slot.add(this.#keeper, [this.#coin.instruction(isBuy ? 'buy' : 'sell', MAYHEM_AGENT, events)])
  }
}
