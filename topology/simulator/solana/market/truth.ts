// The truth about one launch by the published rules, computed from its events as they happen and from the plan.
import type { Key } from '../../../../schemas/keys.ts'
import type { Archetype, DemoEvent, DemoTruth } from '../market-types.ts'

type Launch = Extract<DemoEvent, { type: 'launch' }>
type Trade = Extract<DemoEvent, { type: 'trade' | 'poolTrade' | 'postCompleteBuy' }>

/** The thresholds of the rules, lamports. Deliberately duplicated: the truth must not depend on the code that it grades. */
const FLAG_PEAK_LAMPORTS = 1_000_000_000
const DRAIN_PEAK_LAMPORTS = 5_000_000_000
const GRADUATION_LAMPORTS = 84_000_000_000

/**
 * Applies a launch and all events of its coin in order; times are the block's second. Outcomes are judged up to the migration: the
 * demo's stories have no hour without a trade before it, so silence never settles an outcome early.
 */
export class TruthKeeper {
  readonly #launch: Launch
  readonly #slot: number
  readonly #archetype: Archetype
  readonly #insiders = new Set<Key>()
  readonly #bundle = new Map<Key, { bought: number; sold: number }>()
  #bundleBought = 0
  #bundleSold = 0
  #devBought = 0
  #devSold = 0
  #peak = 0
  #isOpen = true
  #isMigrated = false
  #drainAtMs: number | null = null
  #devDumpAtMs: number | null = null
  #creatorSoldAtMs: number | null = null
  #bundleDumpedAtMs: number | null = null
  #curveDrainedAtMs: number | null = null
  #poolDrainedAtMs: number | null = null
  #closedLowAtMs: number | null = null
  #migratedLowAtMs: number | null = null
  #poolOpening = 0
  #poolVirtual = 0

  constructor(launch: Launch, slot: number, archetype: Archetype) {
    this.#launch = launch
    this.#slot = slot
    this.#archetype = archetype
  }
  get peakLamports(): number {
    return this.#peak
  }
  addInsider(wallet: Key): void {
    this.#insiders.add(wallet)
  }
  apply(event: DemoEvent, slot: number): void {
    const isLow = this.#launch.quoteMint === null && this.#peak < GRADUATION_LAMPORTS
    if (event.type === 'complete') {
      this.#isOpen = false
      if (isLow) this.#closedLowAtMs ??= event.timestamp * 1_000
    }
    if (event.type === 'migrate') {
      this.#isMigrated = true
      if (isLow) this.#migratedLowAtMs ??= event.timestamp * 1_000
    }
    this.#pool(event)
    if (event.type !== 'trade' && event.type !== 'poolTrade' && event.type !== 'postCompleteBuy') return
    const isAgent = event.type !== 'postCompleteBuy' && event.isAgent
    if (!isAgent) this.#trade(event, slot)
    if (event.type === 'trade') this.#reserve(event.realQuoteUnits ?? 0, event.timestamp * 1_000)
  }
  truth(): DemoTruth {
    const isSol = this.#launch.quoteMint === null
    return {
      mint: this.#launch.mint,
      creator: this.#launch.creator,
      slot: this.#slot,
      launchedAtMs: (this.#launch.timestamp ?? 0) * 1_000,
      archetype: this.#archetype,
      bundleWallets: [...this.#bundle.keys()],
      insiders: [...this.#insiders],
      rug: this.#rug(),
      graduated: isSol && this.#peak >= GRADUATION_LAMPORTS,
      creatorSoldAtMs: this.#creatorSoldAtMs,
      bundleDumpedAtMs: this.#bundleDumpedAtMs,
      curveDrainedAtMs: this.#curveDrainedAtMs,
      poolDrainedAtMs: this.#poolDrainedAtMs,
      closedLowAtMs: this.#closedLowAtMs,
      migratedLowAtMs: this.#migratedLowAtMs,
      peakLamports: this.#peak,
    }
  }
  /** A coin's story has one pool: that of the migration. */
  #pool(event: DemoEvent): void {
    if (event.type === 'poolCreate') this.#poolOpening = event.quoteUnits
    else if (event.type === 'poolBoost') this.#poolVirtual = event.virtualQuoteUnits
    else if (event.type === 'poolTrade' || event.type === 'poolLiquidity') {
      const isIn = event.type === 'poolTrade' ? event.isBuy : event.isDeposit
      const fee = event.type === 'poolTrade' ? event.poolFeeUnits : 0
      const left = event.poolQuoteUnits + this.#poolVirtual + (isIn ? event.quoteUnits : -event.quoteUnits) + fee
      if (left * 5 <= this.#poolOpening) this.#poolDrainedAtMs ??= event.timestamp * 1_000
    }
  }
  /** The earlier of drain and dump; the drain if both are in the same second. */
  #rug(): DemoTruth['rug'] {
    const { drainAtMs, devDumpAtMs } = { drainAtMs: this.#drainAtMs, devDumpAtMs: this.#devDumpAtMs }
    if (drainAtMs !== null && (devDumpAtMs === null || drainAtMs <= devDumpAtMs)) return { kind: 'drain', atMs: drainAtMs }
    return devDumpAtMs === null ? null : { kind: 'dev_dump', atMs: devDumpAtMs }
  }
  #isDev(wallet: Key): boolean {
    return wallet === this.#launch.user || (this.#launch.creatorIsWallet && wallet === this.#launch.creator)
  }
  #trade(trade: Trade, slot: number): void {
    const isBuy = trade.type === 'postCompleteBuy' || trade.isBuy
    if (this.#isDev(trade.user)) this.#dev(trade, isBuy)
    else if (isBuy && slot === this.#slot) this.#bundleBuy(trade)
    else if (!isBuy) this.#bundleSell(trade)
    this.#judgeBundle(trade.timestamp * 1_000, slot)
  }
  #dev(trade: Trade, isBuy: boolean): void {
    const atMs = trade.timestamp * 1_000
    if (isBuy) this.#devBought += trade.tokenUnits
    else {
      this.#devSold += trade.tokenUnits
      this.#creatorSoldAtMs ??= atMs
      if (!this.#isMigrated && this.#devSold * 2 >= this.#devBought) this.#devDumpAtMs ??= atMs
    }
  }
  #bundleBuy({ user, tokenUnits }: Trade): void {
    const member = this.#bundle.get(user) ?? { bought: 0, sold: 0 }
    member.bought += tokenUnits
    this.#bundleBought += tokenUnits
    this.#bundle.set(user, member)
  }
  #bundleSell({ user, tokenUnits }: Trade): void {
    const member = this.#bundle.get(user)
    if (member === undefined) return
    const units = Math.min(tokenUnits, member.bought - member.sold)
    member.sold += units
    this.#bundleSold += units
  }
  /** The members of the bundle are known only after the create slot: within it nothing is final. */
  #judgeBundle(atMs: number, slot: number): void {
    const isDumped = this.#bundleSold * 2 > this.#bundleBought
    if (slot === this.#slot) this.#bundleDumpedAtMs = isDumped ? atMs : null
    else if (isDumped) this.#bundleDumpedAtMs ??= atMs
  }
  #reserve(realLamports: number, atMs: number): void {
    if (realLamports > this.#peak) this.#peak = realLamports
    if (this.#launch.quoteMint !== null || !this.#isOpen) return
    const isDown = (percent: number): boolean => realLamports * 100 <= this.#peak * percent
    if (this.#peak >= FLAG_PEAK_LAMPORTS && isDown(20)) this.#curveDrainedAtMs ??= atMs
    if (this.#peak >= DRAIN_PEAK_LAMPORTS && isDown(25)) this.#drainAtMs ??= atMs
  }
}
