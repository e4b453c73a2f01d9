// Generates the demo market of curves block by block: launches, trades, rings, strangers. A function of seed and rate. Memory is bounded:
// a curve is dropped after its last planned action.
import { BLOCKS_PER_SECOND } from '../../../processors/curve/thresholds.ts'
import { Random } from '../random.ts'
import { AXIOM, FACTORY, GMGN, newAddress, UNKNOWN_PAIR, USDG, WETH, ZERO_ADDRESS } from './addresses.ts'
import { DemoCurve, type DraftTransaction, type Router } from './curve.ts'
import { logOf } from './encode.ts'
import { type Deed, type Plan, planOf } from './plan.ts'
import type { CurveStory } from './truth.ts'

export interface AltMarketOptions {
  readonly seed: number
  /** 1: 120 launches an hour, a tenth of the real launchpad's load. */
  readonly rate: number
}

/** A tenth of the rate measured in a window of September 2026. */
const LAUNCHES_PER_HOUR = 120
const BLOCKS_PER_HOUR = 3_600 * BLOCKS_PER_SECOND
interface Pair {
  readonly pair: string
  /** Base units that the demo treats as one ETH. */
  readonly unitsPerEth: bigint
}
const ETH: Pair = { pair: ZERO_ADDRESS, unitsPerEth: 10n ** 18n }
/** In the current market, 4 in 100 launches have an ERC-20 pair: 2, 1 and 1. */
const PAIRS: readonly (Pair & { readonly upTo: number })[] = [
  { pair: USDG, upTo: 0.02, unitsPerEth: 3_000n * 10n ** 6n },
  { pair: WETH, upTo: 0.03, unitsPerEth: 10n ** 18n },
  { pair: UNKNOWN_PAIR, upTo: 0.04, unitsPerEth: 7_000n * 10n ** 12n },
]
/** Strangers are contracts that emit the launchpad's topics but are not part of it. */
const STRANGERS_PER_BLOCK = 0.01
/** Share of strangers whose curves are traded like those of the launchpad. */
const CLONE_SHARE = 0.1
const THRESHOLD_WEI = 42n * 10n ** 17n
/** Blocks from the completion of a curve to its pool. */
const GRADUATES_AFTER = 3
const [WALLETS, DEPLOYERS] = [6_000, 900]
const ETH_DIGITS = 1_000_000

/** A curve with pending actions. */
interface Live {
  readonly curve: DemoCurve
  readonly kind: Plan['kind']
  readonly unitsPerEth: bigint
  readonly wallets: readonly string[]
  deedsLeft: number
}
type Due = { readonly live: Live; readonly deed: Deed | 'graduate' }

export class AltMarket {
  readonly #dice: Random
  readonly #launchesPerBlock: number
  readonly #wallets: readonly string[]
  readonly #deployers: readonly string[]
  readonly #routers: readonly Router[]
  readonly #due = new Map<number, Due[]>()
  readonly #locker: string
  readonly #onStory: (story: CurveStory) => void
  #positions = 0n
  #next: number

  /** `first`: number of the first block. `onStory` is called with each curve of the launchpad after its last action. */
  constructor({ seed, rate }: AltMarketOptions, first: number, onStory: (story: CurveStory) => void = () => {}) {
    this.#onStory = onStory
    this.#dice = new Random(seed, 4_663)
    this.#launchesPerBlock = (LAUNCHES_PER_HOUR * rate) / BLOCKS_PER_HOUR
    const made = (count: number): string[] => Array.from({ length: count }, () => newAddress(this.#dice))
    this.#wallets = made(WALLETS)
    this.#deployers = made(DEPLOYERS)
    this.#locker = newAddress(this.#dice)
    const unknown = { address: newAddress(this.#dice), fills: false }
    this.#routers = [
      { address: GMGN, fills: true },
      { address: GMGN, fills: true },
      ...AXIOM.map((address) => ({ address, fills: false })),
      unknown,
    ]
    this.#next = first
  }
  /** The transactions of the next block, in order. */
  block(): { readonly number: number; readonly transactions: readonly DraftTransaction[] } {
    const number = this.#next++
    const transactions: DraftTransaction[] = []
    for (const due of this.#due.get(number) ?? []) {
      const made = this.#do(due, number)
      if (made !== null) transactions.push(made)
    }
    this.#due.delete(number)
    for (let launches = this.#count(this.#launchesPerBlock); launches > 0; launches--) transactions.push(this.#launch(number))
    for (let strangers = this.#count(STRANGERS_PER_BLOCK); strangers > 0; strangers--) transactions.push(this.#stranger(number))
    return { number, transactions }
  }

  /** A count drawn from the Poisson distribution with this mean. */
  #count(mean: number): number {
    let count = 0
    for (let at = this.#dice.wait(1); at < mean; at += this.#dice.wait(1)) count++
    return count
  }
  #launch(number: number, factory = FACTORY): DraftTransaction {
    const dice = this.#dice
    const { kind, launchEth, wallets, deeds } = planOf(dice)
    const pairDice = dice.next()
    const { pair, unitsPerEth } = PAIRS.find(({ upTo }) => pairDice < upTo) ?? ETH
    const deployer = this.#deployers[dice.zipf(DEPLOYERS, 0.5)] as string
    const curve = new DemoCurve({
      ...{ factory, token: newAddress(dice), curve: newAddress(dice), deployer, number, pair },
      thresholdUnits: (THRESHOLD_WEI * unitsPerEth) / ETH.unitsPerEth,
      taxBps: BigInt(dice.pick([0, 0, 0, 100, 200])),
    })
    const first = dice.int(WALLETS)
    const live = {
      ...{ curve, kind, unitsPerEth },
      wallets: [deployer, ...Array.from({ length: wallets }, (_, n) => this.#wallets[(first + n * 7) % WALLETS] as string)],
      deedsLeft: deeds.length,
    }
    for (const deed of deeds) this.#plan(number + Math.max(1, deed.after), { live, deed })
    const made = curve.launch(factory === FACTORY ? unitsOf(launchEth, unitsPerEth) : 0n, dice.chance(0.1) ? [this.#locker] : [])
    this.#endIfOver(live)
    return made
  }
  #plan(number: number, due: Due): void {
    const all = this.#due.get(number)
    if (all === undefined) this.#due.set(number, [due])
    else all.push(due)
  }
  /** Null if the curve is complete or nearly so, or there is nothing to sell. */
  #do(due: Due, number: number): DraftTransaction | null {
    const { live, deed } = due
    if (deed !== 'graduate') live.deedsLeft--
    const made = deed === 'graduate' ? live.curve.graduate(++this.#positions, number) : this.#trade(live, deed, number)
    this.#endIfOver(live)
    return made
  }
  #endIfOver({ curve, kind, deedsLeft }: Live): void {
    if (deedsLeft > 0 || curve.facts.factory !== FACTORY) return
    const story = curve.truth.story(kind)
    if (!curve.isComplete || story.graduated !== null) this.#onStory(story)
  }
  #trade(live: Live, deed: Deed, number: number): DraftTransaction | null {
    const { curve, unitsPerEth } = live
    if (curve.isComplete) return null
    const wallet = 'wallet' in deed ? (live.wallets[deed.wallet] as string) : ''
    switch (deed.type) {
      case 'buy': {
        const made = curve.buy(wallet, unitsOf(deed.eth, unitsPerEth), number, deed.isDirect ? null : this.#dice.pick(this.#routers))
        if (curve.isComplete) this.#plan(number + GRADUATES_AFTER, { live, deed: 'graduate' })
        return made
      }
      case 'sell': {
        const units = (curve.heldBy(wallet) * BigInt(Math.round(deed.share * 100))) / 100n
        return units === 0n ? null : curve.sell(wallet, units, number, deed.isDirect ? null : this.#dice.pick(this.#routers))
      }
      case 'send': {
        const units = curve.heldBy(wallet) / 2n
        return units === 0n ? null : curve.send(wallet, live.wallets[deed.to] as string, units)
      }
      case 'buyback':
        return curve.buyback(unitsOf(deed.eth, unitsPerEth), number, this.#locker)
    }
  }
  /** Emits the launchpad's topics from contracts that are not part of it; some announce their own curves, as clones do. */
  #stranger(number: number): DraftTransaction {
    const dice = this.#dice
    if (dice.chance(CLONE_SHARE)) return this.#launch(number, newAddress(dice))
    const [token, curve, wallet] = [newAddress(dice), newAddress(dice), this.#wallets[dice.int(WALLETS)] as string]
    const buy = logOf(curve, 'CurveBuy', [wallet, wallet], [10n ** 16n, 10n ** 24n, 10n ** 14n, 0n])
    const clone = newAddress(dice)
    const announced = logOf(clone, 'TokenLaunched', [token, curve, wallet], [ZERO_ADDRESS, 0n, THRESHOLD_WEI])
    return { from: wallet, to: clone, logs: dice.chance(0.5) ? [announced, buy] : [buy] }
  }
}

const unitsOf = (eth: number, unitsPerEth: bigint): bigint => (BigInt(Math.round(eth * ETH_DIGITS)) * unitsPerEth) / BigInt(ETH_DIGITS)
