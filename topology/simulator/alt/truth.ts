// The truth about one curve by the published rules, computed from its actions as they happen and from the plan.
import { BLOCKS_PER_SECOND } from '../../../processors/curve/thresholds.ts'
import { ZERO_ADDRESS } from './addresses.ts'
import type { CurveFacts } from './curve.ts'
import type { Kind } from './plan.ts'

/** The thresholds of the rules. Deliberately duplicated: the truth must not depend on the code that it grades. */
const FLAG_PEAK_WEI = 10n ** 17n
const DRAIN_PEAK_PART = 17n
const QUIET_S = 3_600

/** The truth about a curve: for tests and grading, never read by a fold. Numbers are blocks; null: it never happened. */
export interface CurveStory {
  readonly token: string
  readonly curve: string
  readonly deployer: string
  /** The zero address for ETH. */
  readonly pair: string
  readonly kind: Kind
  /** Block of the launch. */
  readonly block: number
  /** The first sell of the deployer. */
  readonly deployerSold: number | null
  readonly curveDrained: number | null
  /** Judged until the graduation, or until an hour without a trade. */
  readonly rug: { readonly kind: 'drain' | 'dev_dump'; readonly block: number } | null
  readonly completed: number | null
  readonly graduated: number | null
  /** Highest real quote, base units of the pair. */
  readonly peakUnits: bigint
  readonly buys: number
  readonly sells: number
  readonly taxedBuys: number
  readonly taxUnits: bigint
  /** Wallets that bought directly in a block with at least two direct buys. */
  readonly clusterWallets: number
}

interface Buy {
  readonly number: number
  readonly wallet: string
  readonly tokens: bigint
  readonly snipe: bigint
  /** True without a router between the wallet and the curve. */
  readonly isDirect: boolean
}

/** Tracks a curve: call it with every action in order, a trade before its resulting reserve. */
export class CurveTruth {
  readonly #facts: CurveFacts
  readonly #cluster = new Set<string>()
  #directs: { readonly number: number; readonly wallets: string[] } = { number: -1, wallets: [] }
  readonly #counts = { buys: 0, sells: 0, taxedBuys: 0, taxUnits: 0n }
  #bought = 0n
  #sold = 0n
  #peak = 0n
  #lastTrade: number
  #isSettled = false
  #deployerSold: number | null = null
  #curveDrained: number | null = null
  #drain: number | null = null
  #dump: number | null = null
  #completed: number | null = null
  #graduated: number | null = null

  constructor(facts: CurveFacts) {
    this.#facts = facts
    this.#lastTrade = facts.number
  }
  buy({ number, wallet, tokens, snipe, isDirect }: Buy): void {
    this.#trade(number)
    this.#counts.buys++
    if (snipe > 0n) {
      this.#counts.taxedBuys++
      this.#counts.taxUnits += snipe
    }
    if (wallet === this.#facts.deployer) this.#bought += tokens
    if (isDirect) this.#direct(number, wallet)
  }
  sell(number: number, wallet: string, tokens: bigint): void {
    this.#trade(number)
    this.#counts.sells++
    if (wallet !== this.#facts.deployer) return
    this.#deployerSold ??= number
    this.#sold += tokens
    if (this.#sold * 2n >= this.#bought && !this.#isSettled) this.#dump ??= number
  }
  reserve(number: number, real: bigint): void {
    if (real > this.#peak) this.#peak = real
    if (this.#completed !== null) return
    const isNative = this.#facts.pair === ZERO_ADDRESS
    if (isNative && this.#peak >= FLAG_PEAK_WEI && real * 5n <= this.#peak) this.#curveDrained ??= number
    const isHigh = this.#peak * DRAIN_PEAK_PART >= this.#facts.thresholdUnits
    if (isHigh && real * 4n <= this.#peak && !this.#isSettled) this.#drain ??= number
  }
  complete(number: number): void {
    this.#completed = number
  }
  graduate(number: number): void {
    this.#graduated = number
  }
  story(kind: Kind): CurveStory {
    const { token, curve, deployer, pair, number } = this.#facts
    return {
      ...{ token, curve, deployer, pair, kind, block: number },
      ...{ deployerSold: this.#deployerSold, curveDrained: this.#curveDrained, rug: this.#rug() },
      ...{ completed: this.#completed, graduated: this.#graduated, peakUnits: this.#peak },
      ...this.#counts,
      clusterWallets: this.#cluster.size,
    }
  }

  /** The earlier of drain and dump; the drain if both are in the same second. */
  #rug(): CurveStory['rug'] {
    const [drain, dump] = [this.#drain, this.#dump]
    if (drain !== null && (dump === null || secondOf(drain) <= secondOf(dump))) return { kind: 'drain', block: drain }
    return dump === null ? null : { kind: 'dev_dump', block: dump }
  }
  /** An hour without a trade, in whole seconds, settles the outcome of the launch. */
  #trade(number: number): void {
    this.#isSettled ||= secondOf(number) - secondOf(this.#lastTrade) >= QUIET_S
    this.#lastTrade = number
  }
  #direct(number: number, wallet: string): void {
    if (this.#directs.number !== number) this.#directs = { number, wallets: [] }
    this.#directs.wallets.push(wallet)
    if (this.#directs.wallets.length > 1) for (const one of this.#directs.wallets) this.#cluster.add(one)
  }
}

/** Counted from block 0: valid because the demo starts at a whole second. */
const secondOf = (number: number): number => Math.floor(number / BLOCKS_PER_SECOND)
