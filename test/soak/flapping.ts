// Processes join, leave, crash, hang and return at random, in bursts: no partition stays without a task, nothing is lost or duplicated.
import { setTimeout as pause } from 'node:timers/promises'
import { randomOf } from '../bench/synthetic-tape.ts'
import type { SharedKafka } from '../services/shared.ts'
import { OpenTransactions, WorkGaps } from './gaps.ts'
import { KafkaWorld } from './kafka-world.ts'
import type { Plan } from './streams.ts'
import type { UpProcess } from './up-process.ts'

const SEATS = 3
/** At speed 1. */
const FRAMES_A_SECOND = 2.5
/** The stream is this much longer than the flapping; its rest is then sent at full speed. */
const SPARE_SECONDS = 80
const BURST_MAX = 4
const BURST_GAP_MS_MAX = 1_500
const SPARED_POLL_MS = 100
const AWAY_MS_MAX = 3_000
/** Shorter and longer than the session timeout of 6 s. */
const HANG_MS = { short: [300, 5_000], long: [6_500, 12_000] } as const
/** A new process leaves or crashes at most this long after it got its assignment. */
const VISIT_MS_MAX = 1_500

export interface FlappingPlan {
  /** Minimal duration of the flapping; every kind of event happens at least once. */
  readonly seconds: number
  /** Speed at which the market is captured, as for a recording. */
  readonly speed: number
  readonly seed: number
}

/** The result. `late`, `ended` and `differences` must be empty, `exitCodes` 0, and each of the `events` must occur. */
export interface FlappingReport {
  readonly seed: number
  readonly events: Readonly<Record<string, number>>
  /** Hangs that left a transaction open. */
  readonly leftOpen: number
  /** By partition, as `WorkGaps` defines it. */
  readonly longestGapMs: readonly number[]
  /** Part of the gaps in which the machine had no processor for the processes. */
  readonly starvedMs: number
  readonly late: readonly string[]
  /** Processes that ended unrequested or with a code other than 0, with their last lines. */
  readonly ended: readonly string[]
  readonly differences: readonly string[]
  readonly exitCodes: readonly (number | null)[]
  readonly seconds: number
}

export const isFlappingWell = ({ events, late, ended, differences, exitCodes }: FlappingReport): boolean =>
  late.length + ended.length + differences.length === 0 &&
  exitCodes.every((code) => code === 0) &&
  Object.values(events).every((count) => count > 0)

type Happening = 'crash' | 'leave' | 'hang short' | 'hang long' | 'visit'
const HAPPENINGS: readonly Happening[] = ['crash', 'leave', 'hang short', 'hang long', 'visit']

/** An event with its random choices. */
interface Planned {
  readonly happening: Happening
  /** True: waits for a seat; false: is skipped if the seat cannot be spared. */
  readonly isSure: boolean
  readonly seat: number
  /** Where the duration is between the least and the greatest, 0 to 1. */
  readonly share: number
  /** A visitor leaves (true) or crashes (false). */
  readonly isOrderly: boolean
  /** No other event starts for this long after this one. */
  readonly gapMs: number
}

interface Seat {
  process: UpProcess
  /** The process has its assignment and is neither paused nor being replaced. */
  isHealthy: boolean
}

/** Captures a market at a steady pace; three seats of processes get every kind of event once, then more at random. */
export const runFlapping = async ({ seconds, speed, seed }: FlappingPlan, services: SharedKafka): Promise<FlappingReport> => {
  const startedMs = Date.now()
  const frames = Math.ceil((seconds + SPARE_SECONDS) * FRAMES_A_SECOND * speed)
  const plan: Plan = { seed: 7, rate: 2, frames, partitions: 6 }
  const world = await KafkaWorld.open(plan, services)
  try {
    const gaps = new WorkGaps(await world.log(), () => group.pids)
    const transactions = await OpenTransactions.open(services, world.prefix, plan.partitions)
    const [expected, group] = await Promise.all([world.reference(), Group.open(world, transactions, seed)])
    const capture = world.capture(speed)
    try {
      await gaps.start()
      await group.flap(seconds, gaps)
    } finally {
      await Promise.all([gaps.stop(), transactions.close()])
    }
    await capture.kill()
    world.capture('max')
    const differences = await world.arrived(expected)
    const exitCodes = await group.stop()
    const { events, ended, leftOpen } = group
    const found = { longestGapMs: gaps.longestMs, starvedMs: gaps.starvedMs, late: gaps.late, ended, differences, exitCodes }
    return { seed, events, leftOpen, ...found, seconds: Math.round((Date.now() - startedMs) / 1_000) }
  } finally {
    await world.close()
  }
}

/** The processes. At least one is healthy at any time. */
class Group {
  readonly events: Record<string, number> = Object.fromEntries(HAPPENINGS.map((happening) => [happening, 0]))
  readonly ended: string[] = []
  leftOpen = 0
  readonly #world: KafkaWorld
  readonly #transactions: OpenTransactions
  readonly #random: () => number
  readonly #seats: Seat[] = []

  private constructor(world: KafkaWorld, transactions: OpenTransactions, seed: number) {
    this.#world = world
    this.#transactions = transactions
    this.#random = randomOf(seed)
  }
  static async open(world: KafkaWorld, transactions: OpenTransactions, seed: number): Promise<Group> {
    const group = new Group(world, transactions, seed)
    for (let seat = 0; seat < SEATS; seat++) group.#seats.push({ process: world.process(), isHealthy: false })
    await Promise.all(group.#seats.map((seat) => group.#arrive(seat)))
    return group
  }
  get pids(): readonly number[] {
    return this.#seats.map(({ process }) => process.pid)
  }
  /** Runs bursts; after each, waits until every partition is processed again. */
  async flap(seconds: number, gaps: WorkGaps): Promise<void> {
    const until = Date.now() + seconds * 1_000
    for (let plans = this.#everything(); this.ended.length === 0; plans = this.#burst()) {
      const happening: Promise<void>[] = []
      for (const plan of plans) {
        happening.push(plan.isSure ? this.#surely(plan, gaps) : this.#happen(plan, gaps))
        await pause(plan.gapMs)
      }
      await Promise.all(happening)
      await gaps.calm()
      for (const { process } of this.#seats) if (!process.isAlive) this.#report('ended unrequested', process)
      if (Date.now() >= until) return
    }
  }
  async stop(): Promise<readonly (number | null)[]> {
    const stopOf = async ({ process }: Seat): Promise<number | null> => {
      const code = await process.stop()
      if (code !== 0) this.#report(`stopped with code ${code}`, process)
      return code
    }
    return Promise.all(this.#seats.map(stopOf))
  }

  /** Draws all random numbers before anything is awaited, so that a seed gives the same plans. */
  #plan(happening: Happening, isSure: boolean): Planned {
    const seat = Math.floor(this.#random() * SEATS)
    return { happening, isSure, seat, share: this.#random(), isOrderly: this.#random() < 0.5, gapMs: this.#random() * BURST_GAP_MS_MAX }
  }
  #burst(): readonly Planned[] {
    const count = 1 + Math.floor(this.#random() * BURST_MAX)
    return Array.from({ length: count }, () => this.#plan(HAPPENINGS[Math.floor(this.#random() * HAPPENINGS.length)] as Happening, false))
  }
  /** Every kind once, in random order. */
  #everything(): readonly Planned[] {
    const drawn = HAPPENINGS.map((happening) => ({ happening, at: this.#random() })).sort((a, b) => a.at - b.at)
    return drawn.map(({ happening }) => this.#plan(happening, true))
  }
  /** Runs as soon as a seat can be spared: the planned one or the next. */
  async #surely(plan: Planned, gaps: WorkGaps): Promise<void> {
    const maySpare = (): boolean => this.#seats.filter(({ isHealthy }) => isHealthy).length > 1
    while (plan.happening !== 'visit' && !maySpare() && this.ended.length === 0) await pause(SPARED_POLL_MS)
    const seats = Array.from({ length: SEATS }, (_, n) => (plan.seat + n) % SEATS)
    await this.#happen({ ...plan, seat: seats.find((seat) => this.#seats[seat]?.isHealthy) ?? plan.seat }, gaps)
  }
  /** Does nothing if the seat cannot be spared. */
  async #happen({ happening, seat: at, share, isOrderly }: Planned, gaps: WorkGaps): Promise<void> {
    const seat = this.#seats[at] as Seat
    const isSpared = !this.#seats.some((other) => other !== seat && other.isHealthy) || !seat.isHealthy
    if (isSpared && happening !== 'visit') return
    this.events[happening] = (this.events[happening] ?? 0) + 1
    if (happening === 'visit') return this.#visit(share * VISIT_MS_MAX, isOrderly, gaps)
    if (happening === 'hang short' || happening === 'hang long') {
      const [min, max] = HANG_MS[happening === 'hang short' ? 'short' : 'long']
      return this.#hang(seat, min + share * (max - min), gaps)
    }
    return this.#replace(seat, share * AWAY_MS_MAX, happening === 'leave', gaps)
  }
  async #hang(seat: Seat, ms: number, gaps: WorkGaps): Promise<void> {
    seat.isHealthy = false
    gaps.failing()
    seat.process.pause()
    const isOpen = this.#transactions.isAnyLeft()
    await pause(ms)
    if (await isOpen) this.leftOpen++
    seat.process.resume()
    seat.isHealthy = true
  }
  async #replace(seat: Seat, awayMs: number, isOrderly: boolean, gaps: WorkGaps): Promise<void> {
    seat.isHealthy = false
    await this.#end(seat.process, isOrderly, gaps)
    await pause(awayMs)
    seat.process = this.#world.process()
    await this.#arrive(seat)
  }
  /** One more process joins and ends soon after its assignment: others give up tasks for it that return to them at once. */
  async #visit(ms: number, isOrderly: boolean, gaps: WorkGaps): Promise<void> {
    const visitor = this.#world.process()
    await visitor.printed('has ')
    await pause(ms)
    await this.#end(visitor, isOrderly, gaps)
  }
  async #end(process: UpProcess, isOrderly: boolean, gaps: WorkGaps): Promise<void> {
    if (!isOrderly) {
      gaps.failing()
      await process.kill()
      return
    }
    const code = await process.stop()
    if (code !== 0) this.#report(`ended with code ${code} when it was stopped`, process)
  }
  async #arrive(seat: Seat): Promise<void> {
    try {
      await seat.process.printed('processes from')
      seat.isHealthy = true
    } catch {
      this.#report('did not start to process', seat.process)
    }
  }
  #report(what: string, { lines }: UpProcess): void {
    this.ended.push(`a process ${what}: ${lines.slice(-6).join(' | ')}`)
  }
}
