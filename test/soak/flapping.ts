// Processes that join, leave, crash, hang and come back at random, in bursts: no partition stays without work, nothing is lost or doubled.
import { setTimeout as pause } from 'node:timers/promises'
import { randomOf } from '../bench/synthetic-tape.ts'
import type { SharedKafka } from '../services/shared.ts'
import { KafkaWorld, type Plan } from './kafka-world.ts'
import { OpenTransactions } from './open-transactions.ts'
import type { UpProcess } from './up-process.ts'
import { WorkGaps } from './work-gaps.ts'

const SEATS = 3
const SPEED = 4
const FRAMES_A_SECOND = 2.5 * SPEED
/** The stream is longer than the flapping: the rest of it is sent at full speed. */
const SPARE_SECONDS = 60
const BURST_MAX = 4
const BURST_GAP_MS_MAX = 1_500
const AWAY_MS_MAX = 3_000
/** Shorter and longer than the session timeout of 6 s. */
const HANG_MS = { short: [300, 5_000], long: [6_500, 12_000] } as const
/** A newcomer leaves or crashes so soon after it was given its share. */
const VISIT_MS_MAX = 1_500

/** What came out. `late`, `ended` and `differences` must be empty and `exitCodes` 0. */
export interface FlappingReport {
  readonly seed: number
  readonly events: Readonly<Record<string, number>>
  /** Hangs that left a transaction open. */
  readonly leftOpen: number
  /** Of each partition, as `WorkGaps` defines it. */
  readonly longestGapMs: readonly number[]
  /** Of the time of the gaps, what the machine had no processors for. */
  readonly starvedMs: number
  readonly late: readonly string[]
  /** Processes that ended although nobody asked them to, or with another code than 0, with what they said last. */
  readonly ended: readonly string[]
  readonly differences: readonly string[]
  readonly exitCodes: readonly (number | null)[]
  readonly seconds: number
}

export const isFlappingWell = ({ late, ended, differences, exitCodes }: FlappingReport): boolean =>
  late.length + ended.length + differences.length === 0 && exitCodes.every((code) => code === 0)

type Happening = 'crash' | 'leave' | 'hang short' | 'hang long' | 'visit'
const HAPPENINGS: readonly Happening[] = ['crash', 'leave', 'hang short', 'hang long', 'visit']

interface Seat {
  process: UpProcess
  /** It has its share, and is neither silent nor on its way. */
  isHealthy: boolean
}

/** A market captured at a steady pace, and three seats of processes where things happen for so many seconds. */
export const runFlapping = async (seconds: number, seed: number, services: SharedKafka): Promise<FlappingReport> => {
  const startedMs = Date.now()
  const frames = Math.ceil((seconds + SPARE_SECONDS) * FRAMES_A_SECOND)
  const plan: Plan = { seed: 7, rate: 2, frames, partitions: 6 }
  const world = await KafkaWorld.open(plan, services)
  try {
    const expected = await world.reference()
    const gaps = new WorkGaps(await world.log(), () => staff.pids)
    const transactions = await OpenTransactions.open(services, world.prefix, plan.partitions)
    const staff = await Staff.open(world, transactions, seed)
    const capture = world.capture(SPEED)
    try {
      await gaps.start()
      await staff.flap(seconds, gaps)
    } finally {
      await Promise.all([gaps.stop(), transactions.close()])
    }
    await capture.kill()
    world.capture('max')
    const differences = await world.arrived(expected)
    const exitCodes = await staff.stop()
    const { events, ended, leftOpen } = staff
    const found = { longestGapMs: gaps.longestMs, starvedMs: gaps.starvedMs, late: gaps.late, ended, differences, exitCodes }
    return { seed, events, leftOpen, ...found, seconds: Math.round((Date.now() - startedMs) / 1_000) }
  } finally {
    await world.close()
  }
}

/** The processes. At least one of them is healthy at any time. */
class Staff {
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
  static async open(world: KafkaWorld, transactions: OpenTransactions, seed: number): Promise<Staff> {
    const staff = new Staff(world, transactions, seed)
    for (let seat = 0; seat < SEATS; seat++) staff.#seats.push({ process: world.process(), isHealthy: false })
    await Promise.all(staff.#seats.map((seat) => staff.#arrive(seat)))
    return staff
  }
  get pids(): readonly number[] {
    return this.#seats.map(({ process }) => process.pid)
  }
  /** Bursts, each with a calm after it in which every partition must be worked on again. */
  async flap(seconds: number, gaps: WorkGaps): Promise<void> {
    for (const until = Date.now() + seconds * 1_000; Date.now() < until; ) {
      const happening: Promise<void>[] = []
      for (let left = 1 + Math.floor(this.#random() * BURST_MAX); left > 0; left--) {
        happening.push(this.#happen(gaps))
        await pause(this.#random() * BURST_GAP_MS_MAX)
      }
      await Promise.all(happening)
      await gaps.calm()
      for (const { process } of this.#seats) if (!process.isAlive) this.#tell('ended by itself', process)
      if (this.ended.length > 0) return
    }
  }
  async stop(): Promise<readonly (number | null)[]> {
    const stopOf = async ({ process }: Seat): Promise<number | null> => {
      const code = await process.stop()
      if (code !== 0) this.#tell(`stopped with ${code}`, process)
      return code
    }
    return Promise.all(this.#seats.map(stopOf))
  }

  /** The dice are thrown before anything is waited for, so that a seed gives the same plan. */
  async #happen(gaps: WorkGaps): Promise<void> {
    const happening = HAPPENINGS[Math.floor(this.#random() * HAPPENINGS.length)] as Happening
    const seat = this.#seats[Math.floor(this.#random() * SEATS)] as Seat
    const [share, isOrderly] = [this.#random(), this.#random() < 0.5]
    const isSpared = !this.#seats.some((other) => other !== seat && other.isHealthy) || !seat.isHealthy
    if (happening === 'visit') {
      this.events.visit = (this.events.visit ?? 0) + 1
      return this.#visit(share * VISIT_MS_MAX, isOrderly, gaps)
    }
    if (isSpared) return
    this.events[happening] = (this.events[happening] ?? 0) + 1
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
  /** One more process comes, and goes as soon as it has its share: others end work for it that comes back to them at once. */
  async #visit(ms: number, isOrderly: boolean, gaps: WorkGaps): Promise<void> {
    const visitor = this.#world.process()
    await visitor.said('has ')
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
    if (code !== 0) this.#tell(`ended with ${code} when it was stopped`, process)
  }
  async #arrive(seat: Seat): Promise<void> {
    try {
      await seat.process.said('processes from')
      seat.isHealthy = true
    } catch {
      this.#tell('did not come to work', seat.process)
    }
  }
  #tell(what: string, { lines }: UpProcess): void {
    this.ended.push(`a process ${what}: ${lines.slice(-6).join(' | ')}`)
  }
}
