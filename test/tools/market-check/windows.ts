// Samples the market as the recorded set was sampled: windows of 76 seconds of curve trades.
import type { Key } from '../../../schemas/keys.ts'
import type { DemoEvent } from '../../../topology/simulator/solana/market-types.ts'

const WINDOW_S = 76
/** Interval between the starts of two windows; they need not be adjacent. */
const EVERY_S = 152
/** The recorded set has fewer trades per launch than whole markets: some are dropped before counts are compared. */
const KEPT_OF_100 = 55

type Trade = Extract<DemoEvent, { type: 'trade' }>
interface Seen {
  readonly slot: number
  readonly trade: Trade
}

const quantile = (values: readonly number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(part * values.length))] ?? Number.NaN

const groupBy = <Item, Group>(items: readonly Item[], groupOf: (item: Item) => Group): Map<Group, Item[]> => {
  const groups = new Map<Group, Item[]>()
  for (const item of items) {
    const group = groups.get(groupOf(item))
    if (group === undefined) groups.set(groupOf(item), [item])
    else group.push(item)
  }
  return groups
}

/** Slope of the least squares line. */
const slopeOf = (points: readonly (readonly [x: number, y: number])[]): number => {
  const mean = (at: 0 | 1): number => points.reduce((sum, point) => sum + point[at], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const above = points.reduce((sum, [px, py]) => sum + (px - x) * (py - y), 0)
  return above / points.reduce((sum, [px]) => sum + (px - x) ** 2, 0)
}

/** Accumulates windows. Leaves out trades of the launchpad's agent and trades in other quote coins than SOL. */
export class Windows {
  #startsAt = 0
  #trades: Seen[] = []
  readonly #launches = new Map<Key, number>()
  #all = 0
  #buys = 0
  #gaps = 0
  #sameSlotGaps = 0
  #wallets = 0
  #singleMintWallets = 0
  #freshWallets = 0
  #createSlotWallets = 0
  readonly #buySol: number[] = []
  readonly #kept: number[] = []
  readonly #points: (readonly [number, number])[] = []

  see(event: DemoEvent, slot: number): void {
    const at = event.timestamp ?? 0
    if (this.#startsAt === 0) this.#startsAt = at
    if (at >= this.#startsAt + WINDOW_S) {
      this.#close()
      while (at >= this.#startsAt + WINDOW_S) this.#startsAt += EVERY_S
    }
    if (at < this.#startsAt) return
    if (event.type === 'launch') this.#launches.set(event.mint, slot)
    if (event.type === 'trade' && !event.isAgent && event.quoteMint === null) this.#trades.push({ slot, trade: event })
  }
  figures() {
    return {
      buyShare: this.#buys / this.#all,
      sameSlotGaps: this.#sameSlotGaps / this.#gaps,
      singleMintWallets: this.#singleMintWallets / this.#wallets,
      buySolMedian: quantile(this.#buySol, 0.5),
      buySolHigh: quantile(this.#buySol, 0.9),
      createSlotWallets: this.#createSlotWallets / this.#freshWallets,
      slope: slopeOf(this.#points),
      tradesUpper: quantile(this.#kept, 0.75),
      tradesHigh: quantile(this.#kept, 0.9),
    }
  }
  #close(): void {
    for (const { trade } of this.#trades) {
      this.#all++
      if (!trade.isBuy) continue
      this.#buys++
      this.#buySol.push(trade.quoteUnits / 1e9)
    }
    const byWallet = groupBy(this.#trades, ({ trade }) => trade.user)
    this.#wallets += byWallet.size
    for (const trades of byWallet.values()) if (new Set(trades.map(({ trade }) => trade.mint)).size === 1) this.#singleMintWallets++
    for (const [mint, trades] of groupBy(this.#trades, ({ trade }) => trade.mint)) this.#closeMint(trades, this.#launches.get(mint))
    this.#trades = []
    this.#launches.clear()
  }
  #closeMint(trades: readonly Seen[], launchSlot: number | undefined): void {
    const firsts = new Map<Key, number>()
    for (const { slot, trade } of trades) if (!firsts.has(trade.user)) firsts.set(trade.user, slot)
    this.#points.push([Math.log(firsts.size), Math.log(trades.length)])
    const kept = trades.filter(({ trade }) => (trade.tokenUnits % 1_000_003) % 100 < KEPT_OF_100)
    if (kept.length > 0) this.#kept.push(kept.length)
    for (const [n, { slot }] of kept.entries()) {
      if (n === 0) continue
      this.#gaps++
      if (kept[n - 1]?.slot === slot) this.#sameSlotGaps++
    }
    if (launchSlot === undefined) return
    this.#freshWallets += firsts.size
    for (const slot of firsts.values()) if (slot === launchSlot) this.#createSlotWallets++
  }
}
