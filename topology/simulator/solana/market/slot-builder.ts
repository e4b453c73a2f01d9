// Builds one slot: transactions in order, each with its failed twins.
import type { Key } from '../../../../schemas/keys.ts'
import type { Random } from '../../random.ts'
import type { DemoEvent, DemoInstruction, DemoTransaction } from '../market-types.ts'
import type { Population } from './wallets.ts'

/** Failed launchpad transactions per successful one: 45 % of all fail, in the first slots of a mint 38, 58, 68 and 77 % (recorded). */
const TWINS = 0.78
const TWINS_BY_AGE = [0.61, 1.38, 2.12, 3.35] as const
const TWINS_MAX = 12
const TWINS_WITH_EVENTS = 0.95
/** Slippage exceeded, the program's own limits, and a router's error. */
const CODES = [6_002, 6_002, 6_002, 6_003, 6_003, 6_024, 6_001] as const

const turned = (event: DemoEvent, user: Key): DemoEvent => ('user' in event ? { ...event, user } : event)

/** Collects the transactions of one slot. All of them have the second of its block. */
export class SlotBuilder {
  readonly number: number
  readonly timeMs: number
  readonly second: number
  readonly transactions: DemoTransaction[] = []
  readonly #random: Random
  readonly #population: Population
  #index = 0

  constructor(number: number, timeMs: number, random: Random, population: Population) {
    this.number = number
    this.timeMs = timeMs
    this.second = Math.floor(timeMs / 1_000)
    this.#random = random
    this.#population = population
    this.#index = 3 + random.int(40)
  }
  /** Next free index in the block. */
  get end(): number {
    return this.#index
  }
  add(signer: Key, instructions: readonly DemoInstruction[]): void {
    this.#push(signer, instructions, null)
  }
  /** Adds a trade, with failed attempts of other wallets at the same trade; `ageSlots`: age of the coin, infinity for old ones. */
  addContested(signer: Key, instruction: Extract<DemoInstruction, { kind: 'launchpad' }>, ageSlots: number): void {
    this.add(signer, [instruction])
    const mean = TWINS_BY_AGE[ageSlots] ?? TWINS
    for (let twins = this.#poisson(mean); twins > 0; twins--) {
      const user = this.#population.trader()
      const hasEvents = this.#random.chance(TWINS_WITH_EVENTS)
      const events = hasEvents ? instruction.events.map((event) => turned(event, user)) : []
      this.#push(user, [{ ...instruction, user, events }], { instruction: 0, code: this.#random.pick(CODES) })
    }
  }
  #push(signer: Key, instructions: readonly DemoInstruction[], failed: DemoTransaction['failed']): void {
    this.transactions.push({ index: this.#index, signature: this.#random.signature(), signer, failed, instructions })
    this.#index += 1 + this.#random.int(4)
  }
  #poisson(mean: number): number {
    const limit = Math.exp(-mean)
    let count = 0
    for (let product = this.#random.next(); product > limit && count < TWINS_MAX; product *= this.#random.next()) count++
    return count
  }
}
