import { MAYHEM_AGENT } from '../../processors/chains/solana/programs.ts'
import { Random } from '../../topology/simulator/random.ts'
import { Curve, netOfSpend, START_QUOTE_UNITS } from '../../topology/simulator/solana/market/coin/curve.ts'
import { Holdings } from '../../topology/simulator/solana/market/coin/holdings.ts'
import { ActorQueue } from '../../topology/simulator/solana/market/queue.ts'
import { TradeTimes } from '../../topology/simulator/solana/market/sizes.ts'
import { SlotBuilder } from '../../topology/simulator/solana/market/slot-builder.ts'
import { Population } from '../../topology/simulator/solana/market/wallets.ts'
import { Market } from '../../topology/simulator/solana/market.ts'

describe('a curve', () => {
  test('holds 85.005 SOL when its last coin is sold, in any number of buys', () => {
    const random = new Random(1)
    const curve = new Curve(START_QUOTE_UNITS)
    for (let n = 0; n < 500 && curve.realTokenUnits > 0; n++) curve.buy(curve.tokensFor(Math.round(random.between(1e6, 1e9))))
    expect(curve.realTokenUnits).toBe(0)
    expect(curve.virtualTokenUnits).toBe(279_900_000_000_000)
    expect(curve.realQuoteUnits - 85_005_359_057).toBeGreaterThanOrEqual(0)
    expect(curve.realQuoteUnits - 85_005_359_057).toBeLessThan(10_000)
    expect(curve.virtualQuoteUnits - curve.realQuoteUnits).toBe(START_QUOTE_UNITS)
  })
  test('gives what the program gives for an exact spend: fees are deducted first', () => {
    const net = netOfSpend(1_000_000_000)
    expect(net).toBe(987_654_320)
    const curve = new Curve(START_QUOTE_UNITS)
    expect(curve.tokensFor(net)).toBe(Number((BigInt(net) * 1_073_000_000_000_000n) / (30_000_000_000n + BigInt(net))))
  })
  test('refuses coins that it does not hold', () => {
    expect(() => new Curve(START_QUOTE_UNITS).buy(793_100_000_000_001)).toThrow('the coins of the curve')
    expect(() => new Curve(START_QUOTE_UNITS).sell(1_000_000_000)).toThrow('what the curve can pay')
  })
})

test('actors act in time order, then in order of arrival', () => {
  const acted: string[] = []
  const queue = new ActorQueue()
  const actor = (name: string, ...times: number[]) => ({
    get nextMs() {
      return times[0] ?? Number.POSITIVE_INFINITY
    },
    act: () => void acted.push(`${name}${times.shift()}`),
  })
  for (const one of [actor('a', 5, 7), actor('b', 1, 5, 90), actor('c', 7), actor('d', 100)]) queue.add(one)
  const random = new Random(1)
  queue.runUntil(50, new SlotBuilder(1, 0, random, new Population(1, random, 1)))
  expect(acted).toEqual(['b1', 'a5', 'b5', 'a7', 'c7'])
  expect(queue.size).toBe(2)
})

test('trade times ascend within the duration, denser at the start', () => {
  const times = new TradeTimes(new Random(3), 2_000, 600_000, 15_000)
  const all: number[] = []
  for (let at = times.next(); at !== undefined; at = times.next()) all.push(at)
  expect(all).toHaveLength(2_000)
  expect(all).toEqual([...all].sort((a, b) => a - b))
  expect(all.at(-1)).toBeLessThanOrEqual(600_000)
  expect(all.filter((at) => at < 60_000).length).toBeGreaterThan(700)
})

test('holdings drop a wallet that sold everything, and beyond the limit one that never sells', () => {
  const random = new Random(5)
  const holdings = new Holdings()
  const seller = random.key()
  holdings.add(seller, 10, 1_000)
  for (let n = 0; n < 3_500; n++) holdings.add(random.key(), 1, Number.POSITIVE_INFINITY)
  expect(holdings.size).toBe(3_000)
  const holding = holdings.find(seller)
  if (holding === undefined) throw new Error('the selling wallet was dropped')
  holdings.take(holding, 10)
  expect(holdings.find(seller)).toBeUndefined()
  expect(holdings.impatient(random)).toBeUndefined()
})

test('keys and signatures have the right length, and differ by seed and stream', () => {
  const keys = [new Random(1), new Random(1, 1), new Random(2), new Random(2 ** 40 + 1)].map((random) => random.key())
  expect(keys.every(({ length }) => length === 32)).toBe(true)
  expect(new Set([...keys, MAYHEM_AGENT]).size).toBe(5)
  expect(new Random(1).signature()).toHaveLength(64)
})

test.each([0, -1, 101, Number.NaN])('a rate of %p is refused', (rate) => {
  expect(() => new Market({ seed: 1, startMs: Date.UTC(2026, 9, 15), rate })).toThrow('the rate must be above 0')
})
