// Coins with more wallets than are kept one by one.

import { holdingsOf } from '../../../../processors/mint/fold/holdings.ts'
import { HOLDER_ROWS_KEPT, HOLDER_ROWS_MAX } from '../../../../processors/mint/thresholds.ts'
import type { InLong } from '../../../../schemas/amount.ts'
import type { Balance, MintState } from '../../../../schemas/types.ts'
import { randomOf } from '../../../bench/synthetic-tape.ts'
import { CREATOR, frame, handedOut, Market, MILLION, numbered, wallet } from './market.ts'
import { fold, fullAt, type MintThen, stateOf } from './mint-given.ts'

const market = new Market()
const opening = frame(0, [market.launch(), market.buy(CREATOR, 100 * MILLION), market.buy(wallet(1), 30 * MILLION)])
const toMany = (count: number, units = (n: number): number => n + 1): InLong<Balance>[] =>
  Array.from({ length: count }, (_, n) => handedOut(numbered(n), units(n)))
const stateAfter = (...balances: readonly Balance[]): MintState => stateOf(fold(opening, frame(1, balances)).engine)
const sumOf = (balances: readonly InLong<Balance>[]): number => balances.reduce((sum, { units }) => sum + units, 130 * MILLION)
const cardAfter = (balances: readonly Balance[]): ReturnType<typeof fullAt> => fullAt(fold(opening, frame(1, balances)) as MintThen, 2)

describe('a coin at the wallet limit', () => {
  test('is counted exactly', () => {
    const balances = toMany(HOLDER_ROWS_MAX - 2)
    const state = stateAfter(...balances)
    expect([state.folded, state.holders.length]).toEqual([null, HOLDER_ROWS_MAX])
    expect(cardAfter(balances).holders.n_holders).toBe(HOLDER_ROWS_MAX)
  })
})

describe('a coin above the wallet limit', () => {
  const balances = toMany(20_000)
  const state = stateAfter(...balances)

  test('has a bounded number of rows: those of the largest holders, and always those of the dev set and the bundle', () => {
    expect(state.holders.length).toBeGreaterThanOrEqual(HOLDER_ROWS_KEPT)
    expect(state.holders.length).toBeLessThanOrEqual(HOLDER_ROWS_MAX)
    const kept = new Set(state.holders.map((row) => row.wallet))
    for (let n = 20_000 - HOLDER_ROWS_KEPT + 2; n < 20_000; n++) expect(kept.has(numbered(n))).toBe(true)
    expect([CREATOR, wallet(1)].every((one) => kept.has(one))).toBe(true)
  })

  test('keeps every coin in the sums', () => {
    const { circulatingUnits, topFiveUnits } = holdingsOf(state)
    expect(circulatingUnits).toBe(sumOf(balances))
    expect(topFiveUnits).toBe(130 * MILLION + 20_000 + 19_999 + 19_998)
  })

  test('states on the card why the number of holders is unknown', () => {
    const { holders } = cardAfter(balances)
    expect(holders).toMatchObject({ n_holders: null, circulating_tokens: sumOf(balances) / 1_000_000 })
    expect(holders.n_holders_reason).toMatch(/^more than 8192 wallets: the smallest, \d+ so far with [\d.]+ tokens, are counted together$/)
  })

  test('drops empty rows first, without losing information', () => {
    const emptied = Array.from({ length: 5_000 }, (_, n) => [handedOut(numbered(n), 5), handedOut(numbered(n), -5)]).flat()
    const one = stateAfter(...emptied, ...toMany(5_000).map((balance, n) => ({ ...balance, owner: numbered(100_000 + n) })))
    expect(one.folded).toEqual({ wallets: 0, units: 0, insiderUnits: 0 })
    expect(holdingsOf(one).holders).toBe(5_002)
  })

  test.each([1, 2, 3])('has exact circulating coins, whatever its wallets transfer: seed %i', (seed) => {
    const random = randomOf(seed)
    const units = new Map<number, number>()
    const moves: Balance[] = []
    for (let i = 0; i < 20_000; i++) {
      const n = Math.floor(random() ** 2 * 30_000)
      const has = units.get(n) ?? 0
      const change = has > 0 && random() < 0.4 ? -Math.ceil(has * random()) : Math.ceil(random() * 1_000)
      units.set(n, has + change)
      moves.push(handedOut(numbered(n), change))
    }
    const one = stateAfter(...moves)
    expect(one.holders.length).toBeLessThanOrEqual(HOLDER_ROWS_MAX)
    expect(one.folded?.wallets).toBeGreaterThan(0)
    expect(holdingsOf(one).circulatingUnits).toBe(130 * MILLION + [...units.values()].reduce((a, b) => a + b, 0))
  })
})
