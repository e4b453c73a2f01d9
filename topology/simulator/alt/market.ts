// The demo market of curves, block by block: launches, trades, rings, strangers. A function of seed and rate. What it holds is bounded by
// what is still to happen: curves go with their last deed.
import { BLOCKS_PER_SECOND } from '../../../processors/curve/thresholds.ts'
import { Random } from '../random.ts'
import { AXIOM, GMGN, newAddress, USDG, ZERO_ADDRESS } from './addresses.ts'
import { DemoCurve, type DraftTransaction, type Router } from './curve.ts'
import { logOf } from './encode.ts'
import { type Deed, planOf } from './plan.ts'

export interface AltMarketOptions {
  readonly seed: number
  /** 1: a tenth of the load of today, 1,200 launches an hour. */
  readonly rate: number
}

const LAUNCHES_PER_HOUR = 1_200
const BLOCKS_PER_HOUR = 3_600 * BLOCKS_PER_SECOND
/** Of today's launches. */
const OTHER_PAIR_SHARE = 0.04
const STRANGERS_PER_BLOCK = 0.03
const WEI_PER_ETH = 10n ** 18n
/** What the demo takes an ETH for, in whole units of the other pair, and that unit's decimals. */
const [OTHER_PER_ETH, OTHER_UNIT] = [3_000n, 10n ** 6n]
const THRESHOLD_WEI = 42n * 10n ** 17n
/** Blocks from the completion of a curve to its pool. */
const GRADUATES_AFTER = 3
const [WALLETS, DEPLOYERS] = [6_000, 900]
const ETH_DIGITS = 1_000_000

/** What is still to happen on a curve. */
interface Live {
  readonly curve: DemoCurve
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
  #positions = 0n
  #next: number

  /** `first`: number of the first block. */
  constructor({ seed, rate }: AltMarketOptions, first: number) {
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
    for (let strangers = this.#count(STRANGERS_PER_BLOCK); strangers > 0; strangers--) transactions.push(this.#stranger())
    return { number, transactions }
  }

  /** A count drawn from the Poisson distribution with this mean. */
  #count(mean: number): number {
    let count = 0
    for (let at = this.#dice.wait(1); at < mean; at += this.#dice.wait(1)) count++
    return count
  }
  #launch(number: number): DraftTransaction {
    const dice = this.#dice
    const { launchEth, wallets, deeds } = planOf(dice)
    const isOther = dice.chance(OTHER_PAIR_SHARE)
    const deployer = this.#deployers[dice.zipf(DEPLOYERS, 0.5)] as string
    const curve = new DemoCurve({
      ...{ token: newAddress(dice), curve: newAddress(dice), deployer, number },
      pair: isOther ? USDG : ZERO_ADDRESS,
      thresholdUnits: isOther ? (THRESHOLD_WEI * OTHER_PER_ETH * OTHER_UNIT) / WEI_PER_ETH : THRESHOLD_WEI,
      taxBps: BigInt(dice.pick([0, 0, 0, 100, 200])),
    })
    const first = dice.int(WALLETS)
    const live = {
      curve,
      wallets: [deployer, ...Array.from({ length: wallets }, (_, n) => this.#wallets[(first + n * 7) % WALLETS] as string)],
      deedsLeft: deeds.length,
    }
    for (const deed of deeds) this.#plan(number + Math.max(1, deed.after), { live, deed })
    return curve.launch(unitsOf(launchEth, isOther), dice.chance(0.1) ? [this.#locker] : [])
  }
  #plan(number: number, due: Due): void {
    const all = this.#due.get(number)
    if (all === undefined) this.#due.set(number, [due])
    else all.push(due)
  }
  /** Null where nothing comes of it: the curve is complete or nearly so, or there is nothing to sell. */
  #do({ live, deed }: Due, number: number): DraftTransaction | null {
    const { curve } = live
    if (deed === 'graduate') return curve.graduate(++this.#positions)
    live.deedsLeft--
    if (curve.isComplete) return null
    const isOther = curve.facts.pair === USDG
    const wallet = 'wallet' in deed ? (live.wallets[deed.wallet] as string) : ''
    switch (deed.type) {
      case 'buy': {
        const made = curve.buy(wallet, unitsOf(deed.eth, isOther), number, deed.isDirect ? null : this.#dice.pick(this.#routers))
        if (curve.isComplete) this.#plan(number + GRADUATES_AFTER, { live, deed: 'graduate' })
        return made
      }
      case 'sell': {
        const units = (curve.heldBy(wallet) * BigInt(Math.round(deed.share * 100))) / 100n
        return units === 0n ? null : curve.sell(wallet, units, deed.isDirect ? null : this.#dice.pick(this.#routers))
      }
      case 'send': {
        const units = curve.heldBy(wallet) / 2n
        return units === 0n ? null : curve.send(wallet, live.wallets[deed.to] as string, units)
      }
      case 'buyback':
        return curve.buyback(unitsOf(deed.eth, isOther), this.#locker)
    }
  }
  /** Emits the topics of the launchpad, of which it is no part; some announce curves of their own, as clones do. */
  #stranger(): DraftTransaction {
    const dice = this.#dice
    const [token, curve, wallet] = [newAddress(dice), newAddress(dice), this.#wallets[dice.int(WALLETS)] as string]
    const buy = logOf(curve, 'CurveBuy', [wallet, wallet], [10n ** 16n, 10n ** 24n, 10n ** 14n, 0n])
    const clone = newAddress(dice)
    const announced = logOf(clone, 'TokenLaunched', [token, curve, wallet], [ZERO_ADDRESS, 0n, THRESHOLD_WEI])
    return { from: wallet, to: clone, logs: dice.chance(0.5) ? [announced, buy] : [buy] }
  }
}

const unitsOf = (eth: number, isOther: boolean): bigint => {
  const micro = BigInt(Math.round(eth * ETH_DIGITS))
  return isOther ? (micro * OTHER_PER_ETH * OTHER_UNIT) / BigInt(ETH_DIGITS) : (micro * WEI_PER_ETH) / BigInt(ETH_DIGITS)
}
