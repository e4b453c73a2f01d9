// Judges a launch from its events by the published rules, independently of the market's own truth.
import type { Key } from '../../../schemas/keys.ts'
import type { DemoEvent } from '../../../topology/simulator/solana/market-types.ts'

const SOL = 1_000_000_000
type Launch = Extract<DemoEvent, { type: 'launch' }>

/** Accumulates the events of one launch, in order. Times are unix seconds, 0 for never. */
export class Judge {
  readonly launch: Launch
  readonly slot: number
  readonly bundle = new Map<Key, number>()
  readonly #bundleSold = new Map<Key, number>()
  trades = 0
  peak = 0
  isSelfGraduated = false
  isComplete = false
  isMigrated = false
  drainAt = 0
  devDumpAt = 0
  devSoldAt = 0
  bundleDumpedAt = 0
  curveDrainedAt = 0
  #devBought = 0
  #devSold = 0

  constructor(launch: Launch, slot: number) {
    this.launch = launch
    this.slot = slot
  }
  get isSol(): boolean {
    return this.launch.quoteMint === null
  }
  get isGraduated(): boolean {
    return this.isSol && this.peak >= 84 * SOL
  }
  get rugKind(): 'drain' | 'dev_dump' | null {
    if (this.drainAt !== 0 && (this.devDumpAt === 0 || this.drainAt <= this.devDumpAt)) return 'drain'
    return this.devDumpAt === 0 ? null : 'dev_dump'
  }
  see(event: DemoEvent, slot: number): void {
    if (event.type === 'complete') {
      this.isComplete = true
      this.isSelfGraduated = slot === this.slot && event.user === this.launch.user
    } else if (event.type === 'migrate') this.isMigrated = true
    else if (event.type === 'postCompleteBuy') this.#hold(event.user, event.tokenUnits, event.timestamp, slot)
    else if (event.type === 'trade' || event.type === 'poolTrade') this.#deal(event, slot)
  }
  #deal(event: Extract<DemoEvent, { type: 'trade' | 'poolTrade' }>, slot: number): void {
    if (!event.isAgent) {
      if (event.type === 'trade') this.trades++
      if (event.isBuy) this.#hold(event.user, event.tokenUnits, event.timestamp, slot)
      else this.#shed(event.user, event.tokenUnits, event.timestamp, slot)
    }
    if (event.type === 'trade') this.#follow(event.realQuoteUnits ?? 0, event.timestamp)
  }
  #isDev(user: Key): boolean {
    return [this.launch.user, ...(this.launch.creatorIsWallet ? [this.launch.creator] : [])].includes(user)
  }
  #hold(user: Key, units: number, at: number, slot: number): void {
    if (this.#isDev(user)) this.#devBought += units
    else if (slot === this.slot) {
      this.bundle.set(user, (this.bundle.get(user) ?? 0) + units)
      this.#weigh(at, slot)
    }
  }
  #shed(user: Key, units: number, at: number, slot: number): void {
    if (this.#isDev(user)) {
      this.#devSold += units
      this.devSoldAt ||= at
      if (!this.isMigrated && this.#devSold >= this.#devBought / 2) this.devDumpAt ||= at
      return
    }
    const bought = this.bundle.get(user)
    if (bought === undefined) return
    this.#bundleSold.set(user, Math.min(bought, (this.#bundleSold.get(user) ?? 0) + units))
    this.#weigh(at, slot)
  }
  /** The bundle is complete at the end of the create slot; sells until then count at that moment. */
  #weigh(at: number, slot: number): void {
    if (this.bundleDumpedAt !== 0 && slot !== this.slot) return
    const sum = (amounts: Iterable<number>): number => [...amounts].reduce((all, one) => all + one, 0)
    this.bundleDumpedAt = sum(this.#bundleSold.values()) > sum(this.bundle.values()) / 2 ? at : 0
  }
  #follow(real: number, at: number): void {
    this.peak = Math.max(this.peak, real)
    if (!this.isSol || this.isComplete) return
    if (this.peak >= SOL && real <= this.peak * 0.2) this.curveDrainedAt ||= at
    if (this.peak >= 5 * SOL && real <= this.peak * 0.25) this.drainAt ||= at
  }
}
