// A wallet that trades well: it buys a coin that will rise while it is new, and sells once it gains; what never gains it keeps.
import type { Key } from '../../../../../schemas/keys.ts'
import type { Random } from '../../../random.ts'
import type { Coin } from './coin.ts'
import type { CurveStory } from './curve-story.ts'

/** All of this is assumed: when it buys, for how much, at which gain it sells, how often it looks, and how many times. */
const BUYS_MS: readonly [number, number] = [3_000, 20_000]
const LAMPORTS: readonly [number, number] = [0.1e9, 0.8e9]
const GAIN: readonly [number, number] = [1.15, 1.8]
const LOOKS_MS: readonly [number, number] = [1_000, 6_000]
const LOOKS_MAX = 200

export class SkilledTrader {
  readonly #coin: Coin
  readonly #story: CurveStory
  readonly #random: Random
  readonly #wallet: Key
  readonly #lamports: number
  readonly #gain: number
  #looks = 0

  constructor(coin: Coin, story: CurveStory, random: Random, wallet: Key) {
    this.#coin = coin
    this.#story = story
    this.#random = random
    this.#wallet = wallet
    this.#lamports = random.logUniform(...LAMPORTS)
    this.#gain = random.between(...GAIN)
  }
  /** Schedules its buy. */
  appoint(): void {
    const afterMs = this.#random.between(...BUYS_MS)
    this.#story.appoint({
      afterMs,
      act: (slot) => {
        this.#story.send(this.#story.flow.buyOf(this.#wallet, this.#lamports, Number.POSITIVE_INFINITY), slot)
        this.#look(afterMs)
      },
    })
  }
  #look(afterMs: number): void {
    if (this.#looks++ === LOOKS_MAX) return
    const nextMs = afterMs + this.#random.between(...LOOKS_MS)
    this.#story.appoint({
      afterMs: nextMs,
      act: (slot) => {
        const { curve, holdings, scale } = this.#coin
        const holding = holdings.find(this.#wallet)
        if (holding === undefined) return
        if (curve.worthOf(holding.units) < this.#lamports * scale * this.#gain) this.#look(nextMs)
        else this.#story.send(this.#story.flow.sellOf(holding, holding.units, 0), slot)
      },
    })
  }
}
