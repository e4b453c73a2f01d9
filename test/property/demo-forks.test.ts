// Forks of the demo: undoing any of them restores the market without forks.

import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { decodeFrame } from '../../processors/chains/solana/decode-frame.ts'
import type { InLong } from '../../schemas/amount.ts'
import type { Key } from '../../schemas/keys.ts'
import type { TapeEvent } from '../../schemas/types.ts'
import { Random } from '../../topology/simulator/random.ts'
import { CoinBook } from '../../topology/simulator/solana/bytes/coins.ts'
import { frameOf, tapeEventsOf } from '../../topology/simulator/solana/bytes.ts'
import { ForkFrames } from '../../topology/simulator/solana/forks/fork-frames.ts'
import { type DemoStep, FORK_DEPTH_MAX, forkPlan, forkSteps } from '../../topology/simulator/solana/forks/forks.ts'
import { Market } from '../../topology/simulator/solana/market.ts'
import type { DemoSlot } from '../../topology/simulator/solana/market-types.ts'

const START_MS = Date.UTC(2026, 9, 15, 12)
const slotsOf = (seed: number, seconds: number): DemoSlot[] => {
  const slots: DemoSlot[] = []
  for (const slot of new Market({ seed, startMs: START_MS, rate: 5 })) {
    if (slot.timeMs >= START_MS + seconds * 1_000) return slots
    slots.push(slot)
  }
  return slots
}
const market = slotsOf(5, 200)
const same = (got: unknown, wanted: unknown): void => expect(isDeepStrictEqual(got, wanted)).toBe(true)
/** About one fork per 20 slots. */
const OPTIONS = { seed: 5, perHour: 430, fromMs: START_MS }
const steps = [...forkSteps(market, OPTIONS)]

/** The slots that remain after all steps, newest last. */
const undone = (all: Iterable<DemoStep>): DemoSlot[] => {
  const canonical: DemoSlot[] = []
  for (const step of all)
    if (step.type === 'slot') canonical.push(step.slot)
    else if (step.type === 'revert') canonical.splice(canonical.findIndex(({ hash }) => hash === step.hash) + 1)
  return canonical
}

describe('forks of the demo', () => {
  test('any seed, rate and start: undoing restores the market, slots of one branch link up, and no confirmed slot is rolled back', () => {
    const some = market.slice(0, 150)
    const first = (market[0] as DemoSlot).parentNumber
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 0, max: 8_550 }), fc.integer({ min: 0, max: 30_000 }), (seed, perHour, afterMs) => {
        const options = { seed, perHour, fromMs: START_MS + afterMs }
        const canonical: DemoSlot[] = []
        let finality = { confirmed: 0, finalized: 0 }
        for (const step of forkSteps(some, options)) {
          const tip = canonical.at(-1)
          if (step.type === 'finality') {
            const { confirmed, finalized } = step
            same([confirmed >= finality.confirmed, finalized >= finality.finalized, confirmed >= finalized], [true, true, true])
            for (const number of [confirmed, finalized]) same(number === first || canonical.some((slot) => slot.number === number), true)
            finality = { confirmed, finalized }
          } else if (step.type === 'revert') {
            const at = canonical.findIndex(({ number, hash }) => number === step.number && hash === step.hash)
            const depth = canonical.length - 1 - at
            same([at >= 0, depth >= 1 && depth <= FORK_DEPTH_MAX, step.number >= finality.confirmed], [true, true, true])
            same((canonical[at]?.timeMs ?? 0) >= options.fromMs, true)
            canonical.splice(at + 1)
          } else {
            if (tip !== undefined) same([step.slot.parentNumber, step.slot.parentHash], [tip.number, tip.hash])
            canonical.push(step.slot)
          }
        }
        same(canonical, some)
      }),
      { numRuns: 25 },
    )
  })
  test('the same options give the same steps, another seed gives others', () => {
    const again = (seed: number): DemoStep[] => [...forkSteps(market.slice(0, 200), { ...OPTIONS, seed })]
    same(again(5), again(5))
    expect(isDeepStrictEqual(again(5), again(6))).toBe(false)
  })
  test('a slot is confirmed 1 or 2 slots later and final 32 or 33 slots later; slots before the first frame are final at once', () => {
    const fromMs = START_MS + 20_000
    const canonical: number[] = []
    const behind = { confirmed: new Set<number>(), finalized: new Set<number>() }
    let isFirst = true
    for (const step of forkSteps(market, { seed: 5, perHour: 0, fromMs })) {
      if (step.type === 'slot') canonical.push(step.slot.number)
      if (step.type !== 'finality') continue
      if (isFirst) same([step.confirmed, step.finalized], [canonical.at(-1), canonical.at(-1)])
      else if (canonical.length > 150) {
        behind.confirmed.add(canonical.length - 1 - canonical.indexOf(step.confirmed))
        behind.finalized.add(canonical.length - 1 - canonical.indexOf(step.finalized))
      }
      isFirst = false
    }
    // The next slot precedes the next finality message.
    expect([[...behind.confirmed], [...behind.finalized]]).toEqual([[1], [32]])
  })
  test('none is before the start time, and none has a slot that is not sent', () => {
    const kinds = (options: Partial<typeof OPTIONS>, isSent?: (slot: DemoSlot) => boolean): Set<string> =>
      new Set([...forkSteps(market, { ...OPTIONS, ...options }, isSent)].map(({ type }) => type))
    expect(kinds({})).toEqual(new Set(['slot', 'revert', 'finality']))
    expect(kinds({ fromMs: Number.POSITIVE_INFINITY })).toEqual(new Set(['slot']))
    expect(kinds({}, () => false)).toEqual(new Set(['slot', 'finality']))
    same(undone(forkSteps(market, OPTIONS, ({ number }) => number % 9 > 0)), market)
  })
  test('are 1 to 32 slots deep, mostly shallow; a branch is orphaned once, twice, or after the canonical branch was already seen', () => {
    const random = new Random(1)
    const plans = Array.from({ length: 5_000 }, () => forkPlan(random))
    const depths = plans.map((plan) => Math.max(...plan.map(({ depth }) => depth)))
    expect([Math.min(...depths), Math.max(...depths)]).toEqual([1, FORK_DEPTH_MAX])
    expect(depths.filter((depth) => depth <= 3).length / depths.length).toBeCloseTo(0.8, 1)
    const kinds = new Set(plans.map((plan) => plan.map(({ lives }) => (lives ? 'A' : 'B')).join('')))
    expect([...kinds].sort()).toEqual(['AB', 'B', 'BB'])
  })
})

type Trade = Extract<TapeEvent, { type: 'trade' }>
type Reserves = Pick<InLong<Trade>, 'virtualTokenUnits' | 'virtualQuoteUnits'>
const isPlain = (event: InLong<TapeEvent>): event is InLong<Trade> => event.type === 'trade' && !event.mayhem && event.quoteMint === null

describe('an orphaned branch', () => {
  test('has reserves that follow from each other, starting at the slot it builds on', () => {
    const path: { hash: string; reserves: ReadonlyMap<Key, Reserves> }[] = []
    let checked = 0
    for (const step of steps) {
      if (step.type === 'revert') path.splice(path.findIndex(({ hash }) => hash === step.hash) + 1)
      if (step.type !== 'slot') continue
      const reserves = new Map(path.at(-1)?.reserves)
      for (const event of tapeEventsOf(step.slot).filter(isPlain)) {
        const before = reserves.get(event.mint)
        const sign = event.isBuy ? 1 : -1
        if (before !== undefined) {
          const after = [before.virtualTokenUnits - sign * event.tokenUnits, before.virtualQuoteUnits + sign * event.quoteUnits]
          same([event.virtualTokenUnits, event.virtualQuoteUnits], after)
          checked += step.branch === 0 ? 0 : 1
        }
        reserves.set(event.mint, event)
      }
      path.push({ hash: step.slot.hash, reserves })
    }
    expect(checked).toBeGreaterThan(50)
  })
  test('has other hashes; its transactions are on the canonical branch in the same slot, in another slot, or not at all', () => {
    const placeOf = new Map(market.flatMap(({ number, transactions }) => transactions.map(({ signature }) => [signature, number] as const)))
    const hashes = new Set(market.map(({ hash }) => hash))
    let [there, elsewhere, alone] = [0, 0, 0]
    for (const step of steps) {
      if (step.type !== 'slot' || step.branch === 0 || hashes.has(step.slot.hash)) continue
      for (const { signature, index } of step.slot.transactions) {
        if (index >= step.slot.transactionsTotal) throw new Error('a position outside the block')
        const position = placeOf.get(signature)
        if (position === undefined) alone++
        else if (position === step.slot.number) there++
        else elsewhere++
      }
    }
    expect(Math.min(there, elsewhere)).toBeGreaterThan(100)
    expect(alone).toBeGreaterThan(5)
  })
  test('has frames that decode to its tape, and does not change the frames of the canonical branch', () => {
    const [forked, plain] = [new ForkFrames(new CoinBook()), new CoinBook()]
    for (const step of steps.slice(0, 220)) {
      const body = forked.bodyOf(step)
      if (step.type !== 'slot') same(body, { ...step, chain: 'solana' })
      else if (body.type !== 'frame') throw new Error('a slot must be a frame')
      else {
        const { events, deadLetters } = decodeFrame(body)
        same([events, deadLetters], [tapeEventsOf(step.slot), []])
        if (step.branch === 0) same(body, { ...frameOf(step.slot, plain), status: 'processed' })
      }
    }
  })
  test('has the same bodies after a start in the middle of any fork as in one continuous run', () => {
    const some = steps.slice(0, 90)
    const bodiesFrom = (cut: number): unknown[] => {
      const frames = new ForkFrames(new CoinBook())
      for (const step of some.slice(0, cut)) frames.follow(step)
      return some.slice(cut).map((step) => frames.bodyOf(step))
    }
    const whole = bodiesFrom(0)
    const cuts = some.flatMap((step, n) => (step.type === 'slot' && step.branch > 0 ? [n] : []))
    expect(cuts.length).toBeGreaterThan(3)
    for (const cut of cuts.filter((_, n) => n % 3 === 0)) same(bodiesFrom(cut), whole.slice(cut))
  })
})
