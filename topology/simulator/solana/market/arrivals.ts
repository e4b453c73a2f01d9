// Schedules launches, with a rate that follows the time of day and comes in waves.
import type { Random } from '../../random.ts'
import { MintStory, type Scene } from './coin/mint-story.ts'
import { drawPlan } from './plan.ts'
import type { Actor, ActorQueue } from './queue.ts'

/** Launches an hour at rate 1, over a whole day. */
const LAUNCHES_PER_HOUR = 150
/** Launch rate in each quarter of the UTC day, relative to each other; from recordings. */
const QUARTERS = [0.57, 1.12, 1.4, 0.92] as const
const QUARTERS_MEAN = QUARTERS.reduce((sum, quarter) => sum + quarter, 0) / QUARTERS.length
/**
 * Variance of the rate factor that is drawn each minute: at 1,200 launches an hour, recorded counts per minute have 1.67 times the
 * variance of a Poisson process.
 */
const WAVE_VARIANCE = 1 / 30
/** How long before its time a launch is planned: its wallets are funded within this time. */
export const LEAD_MS = 30 * 60_000
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** Activity at a time relative to the day's mean. */
export const dayFactor = (atMs: number): number =>
  (QUARTERS[Math.floor((((atMs % DAY_MS) + DAY_MS) % DAY_MS) / (DAY_MS / 4))] ?? 1) / QUARTERS_MEAN

export interface ArrivalOptions {
  readonly startMs: number
  readonly rate: number
  /** Start of another regime, unix milliseconds; infinity for never. */
  readonly changesMs: number
}

/** Plans each launch `LEAD_MS` before its time. */
export class Arrivals implements Actor {
  readonly #options: ArrivalOptions
  readonly #random: Random
  readonly #scene: Scene
  readonly #queue: ActorQueue
  #launchMs: number
  #minute = -1
  #wave = 1

  constructor(options: ArrivalOptions, random: Random, scene: Scene, queue: ActorQueue) {
    this.#options = options
    this.#random = random
    this.#scene = scene
    this.#queue = queue
    this.#launchMs = options.startMs
    this.#drawNextLaunch()
  }
  get nextMs(): number {
    return this.#launchMs - LEAD_MS
  }
  act(): void {
    const plan = drawPlan(this.#random, this.#launchMs >= this.#options.changesMs)
    this.#queue.add(new MintStory(plan, this.#launchMs, this.#options.startMs, this.#scene))
    this.#drawNextLaunch()
  }
  /** Draws the time of the next launch by thinning: candidates come at `factorMax` times the mean rate. */
  #drawNextLaunch(): void {
    const perMs = (LAUNCHES_PER_HOUR * this.#options.rate) / 3_600_000
    const factorMax = 3
    do this.#launchMs += this.#random.wait(perMs * factorMax)
    while (!this.#random.chance((dayFactor(this.#launchMs) * this.#waveAt(this.#launchMs)) / factorMax))
  }
  #waveAt(atMs: number): number {
    const minute = Math.floor(atMs / MINUTE_MS)
    if (minute !== this.#minute) {
      this.#minute = minute
      this.#wave = Math.max(0.2, 1 + Math.sqrt(WAVE_VARIANCE) * this.#random.normal())
    }
    return this.#wave
  }
}
