// A curve of the demo: its contracts, its holders, and the transactions of its trades.
import { BLOCKS_PER_SECOND } from '../../../processors/curve/thresholds.ts'
import { LAUNCH_ROUTER, ZERO_ADDRESS } from './addresses.ts'
import { type DraftLog, fillOf, logOf } from './encode.ts'
import { Pad, type Sold, SUPPLY_UNITS, snipeBpsAt } from './pad.ts'
import { CurveTruth } from './truth.ts'

export interface DraftTransaction {
  readonly from: string
  readonly to: string
  readonly logs: readonly DraftLog[]
}

/** A contract that trades for wallets; `fills`: it emits an event that names the wallet. */
export interface Router {
  readonly address: string
  readonly fills: boolean
}

export interface CurveFacts {
  /** The contract that announces the launch: the launchpad's factory, or a clone's. */
  readonly factory: string
  readonly token: string
  readonly curve: string
  readonly deployer: string
  readonly pair: string
  readonly thresholdUnits: bigint
  readonly taxBps: bigint
  /** Block of the launch. */
  readonly number: number
}

export class DemoCurve {
  readonly facts: CurveFacts
  readonly pad: Pad
  readonly truth: CurveTruth
  readonly #held = new Map<string, bigint>()
  #isComplete = false

  constructor(facts: CurveFacts) {
    this.facts = facts
    this.pad = new Pad(facts.thresholdUnits, facts.taxBps)
    this.truth = new CurveTruth(facts)
  }
  /** True once the curve has sold its last token; then it takes no more trades. */
  get isComplete(): boolean {
    return this.#isComplete
  }
  heldBy(wallet: string): bigint {
    return this.#held.get(wallet) ?? 0n
  }
  /** If `quoteIn` is above 0, the deployer also buys, through the launch router. */
  launch(quoteIn: bigint, exempt: readonly string[]): DraftTransaction {
    const { factory, token, curve, deployer, pair, thresholdUnits, number } = this.facts
    const made = [
      logOf(token, 'Transfer', [ZERO_ADDRESS, curve], [SUPPLY_UNITS]),
      ...[deployer, ...exempt].map((account) => logOf(curve, 'SnipeTaxExempted', [account], [])),
      logOf(factory, 'TokenLaunched', [token, curve, deployer], [pair, 0n, thresholdUnits]),
    ]
    if (quoteIn === 0n) return { from: deployer, to: factory, logs: made }
    const { spent, tokens, fee, tax } = this.pad.buy(quoteIn, 0n)
    this.#give(deployer, tokens)
    this.truth.buy({ number, wallet: deployer, tokens, snipe: 0n, isDirect: false })
    this.#noteReserve(number)
    return {
      from: deployer,
      to: LAUNCH_ROUTER,
      logs: [
        ...made,
        logOf(token, 'Transfer', [curve, deployer], [tokens]),
        logOf(curve, 'CurveBuy', [LAUNCH_ROUTER, deployer], [spent, tokens, fee, tax]),
        logOf(LAUNCH_ROUTER, 'Launched', [token, curve, deployer], [deployer, spent, tokens]),
      ],
    }
  }
  /** With a router, the tokens go to the router first. */
  buy(wallet: string, quoteIn: bigint, at: number, router: Router | null): DraftTransaction {
    const { token, curve, deployer } = this.facts
    const paid = router?.address ?? wallet
    const snipeBps = paid === deployer ? 0n : snipeBpsAt(this.#elapsedS(at), this.pad.taxBps)
    const { spent, refund, tokens, fee, tax, snipe, isFull } = this.pad.buy(quoteIn, snipeBps)
    this.#give(wallet, tokens)
    this.truth.buy({ number: at, wallet, tokens, snipe, isDirect: router === null })
    this.#noteReserve(at)
    return {
      from: wallet,
      to: router?.address ?? curve,
      logs: [
        logOf(token, 'Transfer', [curve, paid], [tokens]),
        ...(snipe === 0n ? [] : [logOf(curve, 'SnipeTaxCharged', [paid], [snipe])]),
        ...(refund === 0n ? [] : [logOf(curve, 'CurveBuyRefunded', [paid], [refund])]),
        logOf(curve, 'CurveBuy', [paid, paid], [spent, tokens, fee, tax]),
        ...(isFull ? this.#complete(at) : []),
        ...(router === null ? [] : [logOf(token, 'Transfer', [router.address, wallet], [tokens])]),
        ...(router?.fills ? [fillOf(router.address, wallet)] : []),
      ],
    }
  }
  /** @param tokensIn at most the wallet's balance */
  sell(wallet: string, tokensIn: bigint, at: number, router: Router | null): DraftTransaction {
    const { token, curve } = this.facts
    const by = router?.address ?? wallet
    const { quote, fee, tax }: Sold = this.pad.sell(tokensIn)
    this.#give(wallet, -tokensIn)
    this.truth.sell(at, wallet, tokensIn)
    this.#noteReserve(at)
    return {
      from: wallet,
      to: router?.address ?? curve,
      logs: [
        ...(router === null ? [] : [logOf(token, 'Transfer', [wallet, router.address], [tokensIn])]),
        logOf(token, 'Transfer', [by, curve], [tokensIn]),
        logOf(curve, 'CurveSell', [by, by], [tokensIn, quote, fee, tax]),
        ...(router?.fills ? [fillOf(router.address, wallet)] : []),
      ],
    }
  }
  send(from: string, to: string, units: bigint): DraftTransaction {
    this.#give(from, -units)
    this.#give(to, units)
    return { from, to: this.facts.token, logs: [logOf(this.facts.token, 'Transfer', [from, to], [units])] }
  }
  /** Fees of the curve buy tokens for `locker`; null if too few are left for sale. */
  buyback(quoteIn: bigint, at: number, locker: string): DraftTransaction | null {
    const { token, curve, deployer } = this.facts
    const tokens = this.pad.buyback(quoteIn)
    this.#give(locker, tokens)
    if (tokens === 0n) return null
    this.#noteReserve(at)
    return {
      from: deployer,
      to: curve,
      logs: [
        logOf(token, 'Transfer', [curve, locker], [tokens]),
        logOf(curve, 'BuybackLocked', [], [quoteIn, tokens]),
        logOf(curve, 'FeesSwept', [], [0n, quoteIn, 0n]),
      ],
    }
  }
  /** Migrates a complete curve to its pool, in a later transaction. */
  graduate(positionId: bigint, at: number): DraftTransaction {
    const { factory, token, deployer } = this.facts
    this.truth.graduate(at)
    const pooled = (this.pad.tokenUnits * 5n) / 7n
    const logs = [logOf(factory, 'PoolGraduated', [token], [positionId, pooled, this.pad.realQuoteUnits])]
    return { from: deployer, to: factory, logs }
  }

  #complete(at: number): readonly DraftLog[] {
    this.#isComplete = true
    this.truth.complete(at)
    const { factory, token, curve } = this.facts
    const [quote, tokens] = [this.pad.realQuoteUnits, this.pad.tokenUnits]
    return [
      logOf(curve, 'FeesSwept', [], [quote / 100n, 0n, quote / 200n]),
      logOf(token, 'Transfer', [curve, factory], [tokens]),
      logOf(curve, 'CurveCompleted', [], [factory, quote, tokens]),
      logOf(factory, 'LaunchSwept', [token], [quote, tokens]),
    ]
  }
  #noteReserve(at: number): void {
    this.truth.reserve(at, this.pad.realQuoteUnits)
  }
  #give(wallet: string, units: bigint): void {
    this.#held.set(wallet, this.heldBy(wallet) + units)
  }
  /** Difference of the block times in whole seconds. */
  #elapsedS(at: number): number {
    return Math.floor(at / BLOCKS_PER_SECOND) - Math.floor(this.facts.number / BLOCKS_PER_SECOND)
  }
}
