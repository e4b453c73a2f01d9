// The simulated market keeps the chain's arithmetic, reports its ground truth correctly, and bounds its memory.
import { isDeepStrictEqual } from 'node:util'
import type { Key } from '../../schemas/keys.ts'
import { Market, type MarketSwitches } from '../../topology/simulator/solana/market.ts'
import type { DemoEvent, DemoOptions, DemoSlot, DemoTruth } from '../../topology/simulator/solana/market-types.ts'
import { Judge } from '../tools/market-check/judge.ts'

const START_MS = Date.UTC(2026, 9, 15, 12)
const HOUR_MS = 3_600_000
const OPTIONS: DemoOptions = { seed: 7, startMs: START_MS, rate: 4 }

function* slotsOf(market: Market, hours: number): Generator<DemoSlot> {
  for (const slot of market) {
    if (slot.timeMs >= START_MS + hours * HOUR_MS) return
    yield slot
  }
}
const market = (switches: MarketSwitches = {}, options: Partial<DemoOptions> = {}): Market =>
  new Market({ ...OPTIONS, ...options }, switches)

/** Coin movements and events, in order. */
type Happening =
  | { readonly slot: number; readonly event: DemoEvent }
  | { readonly mint: Key; readonly source: Key; readonly target: Key; readonly units: number }
const happeningsOf = ({ number, transactions }: DemoSlot): Happening[] =>
  transactions
    .filter(({ failed }) => failed === null)
    .flatMap(({ instructions }) => instructions)
    .flatMap((one): Happening[] => {
      if (one.kind === 'launchpad') return one.events.map((event) => ({ slot: number, event }))
      return one.kind === 'tokenTransfer' ? [one] : []
    })

test('the same options give the same slots; another seed gives others', () => {
  const text = (options: Partial<DemoOptions>): string => JSON.stringify([...slotsOf(market({}, options), 0.02)])
  expect(text({})).toBe(text({}))
  expect(text({ seed: 8 })).not.toBe(text({}))
})

test("slots link up, some are skipped, transactions have an index and events their block's time", () => {
  let previous: DemoSlot | undefined
  let skipped = 0
  for (const slot of slotsOf(market(), 0.1)) {
    if (previous !== undefined) {
      expect([slot.parentNumber, slot.parentHash]).toEqual([previous.number, previous.hash])
      expect(slot.timeMs - previous.timeMs).toBe(400 * (slot.number - previous.number))
      skipped += slot.number - previous.number - 1
    }
    const indexes = slot.transactions.map(({ index }) => index)
    expect(indexes).toEqual([...new Set(indexes)].sort((a, b) => a - b))
    expect(slot.transactionsTotal).toBeGreaterThan(indexes.at(-1) ?? 0)
    const times = happeningsOf(slot).flatMap((one) => ('event' in one ? [one.event.timestamp] : []))
    expect(times.every((time) => time === Math.floor(slot.timeMs / 1_000))).toBe(true)
    previous = slot
  }
  expect(skipped).toBeGreaterThan(5)
})

/** `expect` on a hundred thousand values takes longer than the market itself. */
const same = (got: unknown, wanted: unknown): void => {
  if (!isDeepStrictEqual(got, wanted)) expect(got).toEqual(wanted)
}

/** Reserves of one coin, tracked from event to event. */
class Books {
  readonly #balances = new Map<Key, number>()
  #virtual = { token: 0, quote: 0 }
  #real = { token: 0, quote: 0 }
  #isComplete = false
  #pool: { token: number; quote: number } | undefined
  checked = 0

  see(event: DemoEvent): void {
    if (event.type === 'launch') {
      this.#virtual = { token: event.virtualTokenUnits ?? 0, quote: event.virtualQuoteUnits ?? 0 }
      this.#real.token = event.realTokenUnits ?? 0
    } else if (event.type === 'trade') this.#trade(event)
    else if (event.type === 'complete') {
      same(this.#real.token, 0)
      this.#isComplete = true
    } else if (event.type === 'mayhemReserves') {
      same([event.realTokenUnits, event.realQuoteUnits], [this.#real.token, this.#real.quote])
      this.#virtual = { token: event.virtualTokenUnits, quote: event.virtualQuoteUnits }
    } else if (event.type === 'postCompleteBuy') {
      same(event.poolQuoteUnitsAfter - event.quoteUnits, this.#real.quote - 15_000_001)
      this.#pool = { token: event.poolTokenUnitsAfter, quote: event.poolQuoteUnitsAfter }
      this.move(event.user, event.tokenUnits)
    } else if (event.type === 'migrate') {
      this.#pool ??= { token: 206_900_000_000_000, quote: this.#real.quote - 15_000_001 }
      same(this.#pool, { token: event.tokenUnits, quote: event.quoteUnits })
    } else this.#seePool(event)
  }
  move(wallet: Key, units: number): void {
    const after = (this.#balances.get(wallet) ?? 0) + units
    same(after >= 0, true)
    this.#balances.set(wallet, after)
  }
  #trade(trade: Extract<DemoEvent, { type: 'trade' }>): void {
    this.checked++
    const { tokenUnits, quoteUnits, isBuy, isAgent } = trade
    const sign = isBuy ? 1 : -1
    same(this.#isComplete, false)
    const [token, quote] = [BigInt(this.#virtual.token), BigInt(this.#virtual.quote)]
    const amount = BigInt(tokenUnits)
    const fair = isBuy ? (amount * quote) / (token - amount) + 1n : (amount * quote) / (token + amount)
    if (!isAgent) same([quoteUnits, trade.virtualQuoteUnits], [Number(fair), this.#virtual.quote + sign * quoteUnits])
    const next = [this.#virtual.token - sign * tokenUnits, this.#real.token - sign * tokenUnits, this.#real.quote + sign * quoteUnits]
    same([trade.virtualTokenUnits, trade.realTokenUnits, trade.realQuoteUnits], next)
    same(Math.min(...next) >= 0, true)
    this.#virtual = { token: trade.virtualTokenUnits, quote: trade.virtualQuoteUnits }
    this.#real = { token: trade.realTokenUnits ?? 0, quote: trade.realQuoteUnits ?? 0 }
    this.move(trade.user, sign * tokenUnits)
  }
  #seePool(event: DemoEvent): void {
    if (this.#pool === undefined) return
    if (event.type === 'poolBoost') this.#pool.quote = event.realQuoteUnitsAfter
    if (event.type === 'poolLiquidity') {
      same(this.#pool, { token: event.poolTokenUnits, quote: event.poolQuoteUnits })
      const sign = event.isDeposit ? 1 : -1
      this.#pool = { token: event.poolTokenUnits + sign * event.tokenUnits, quote: event.poolQuoteUnits + sign * event.quoteUnits }
      this.move(event.user, -sign * event.tokenUnits)
    }
    if (event.type !== 'poolTrade') return
    this.checked++
    const sign = event.isBuy ? 1 : -1
    same(this.#pool, { token: event.poolTokenUnits, quote: event.poolQuoteUnits })
    const kept = Math.floor((Math.abs(event.userQuoteUnits - event.quoteUnits) * 2) / 125)
    this.#pool = { token: event.poolTokenUnits - sign * event.tokenUnits, quote: event.poolQuoteUnits + sign * event.quoteUnits + kept }
    this.move(event.user, sign * event.tokenUnits)
  }
}

test('reserves follow from trade to trade, on curves and in pools, and no wallet sells more than it holds', () => {
  const books = new Map<Key, Books>()
  for (const slot of slotsOf(market(), 0.75))
    for (const one of happeningsOf(slot)) {
      if ('event' in one) {
        if (one.event.type === 'launch') books.set(one.event.mint, new Books())
        books.get(one.event.mint)?.see(one.event)
      } else {
        books.get(one.mint)?.move(one.source, -one.units)
        books.get(one.mint)?.move(one.target, one.units)
      }
    }
  const checked = [...books.values()].reduce((sum, book) => sum + book.checked, 0)
  expect(checked).toBeGreaterThan(20_000)
})

test('the ground truth of a launch matches its events', () => {
  const truths: DemoTruth[] = []
  const judges = new Map<Key, Judge>()
  for (const slot of slotsOf(market({ onTruth: (truth) => truths.push(truth) }), 1))
    for (const one of happeningsOf(slot)) {
      if (!('event' in one)) continue
      const { event } = one
      if (event.type === 'launch') judges.set(event.mint, new Judge(event, slot.number))
      judges.get(event.mint)?.see(event, slot.number)
    }
  const ms = (second: number): number | null => (second === 0 ? null : second * 1_000)
  for (const truth of truths) {
    const judge = judges.get(truth.mint)
    if (judge === undefined) throw new Error('ground truth of a launch without events')
    expect({ ...truth, bundleWallets: new Set(truth.bundleWallets) }).toMatchObject({
      creator: judge.launch.creator,
      slot: judge.slot,
      launchedAtMs: (judge.launch.timestamp ?? 0) * 1_000,
      bundleWallets: new Set(judge.bundle.keys()),
      graduated: judge.isGraduated,
      creatorSoldAtMs: ms(judge.devSoldAt),
      bundleDumpedAtMs: ms(judge.bundleDumpedAt),
      curveDrainedAtMs: ms(judge.curveDrainedAt),
      peakLamports: judge.peak,
      rug: judge.rugKind === null ? null : { kind: judge.rugKind, atMs: ms(judge.rugKind === 'drain' ? judge.drainAt : judge.devDumpAt) },
    })
  }
  expect(truths.length).toBeGreaterThan(350)
  expect(new Set(truths.map(({ archetype }) => archetype)).size).toBeGreaterThanOrEqual(8)
})

test('the number of live launches stays bounded over half a day', () => {
  const sim = market({}, { rate: 0.15 })
  const live: number[] = []
  for (const slot of slotsOf(sim, 12)) if (slot.number % 4_500 === 0) live.push(sim.live)
  expect(live.length).toBeGreaterThan(15)
  expect(Math.max(...live)).toBeLessThan(120)
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  expect(mean(live.slice(-8))).toBeLessThan(2 * mean(live.slice(2, 10)))
})

test('a regime change alters the mix of launches', () => {
  const shareOf = (switches: MarketSwitches): number => {
    const kinds: string[] = []
    const onTruth = ({ archetype }: DemoTruth): void => void kinds.push(archetype)
    for (const slot of slotsOf(market({ ...switches, onTruth }, { rate: 2 }), 0.4)) expect(slot.number).toBeGreaterThan(0)
    return kinds.filter((kind) => kind === 'organic_fade').length / kinds.length
  }
  expect(shareOf({ regimeAfterMs: 0 })).toBeGreaterThan(1.5 * shareOf({}))
})
