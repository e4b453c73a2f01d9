// The creator record: every field of the contract from the rows, and a reason for every null.
import { solana } from '../../../../processors/chains/solana/chain.ts'
import { creatorEvidence } from '../../../../processors/creator/record.ts'
import { loadType } from '../../../../schemas/avro.ts'
import { type Key, toBase58 } from '../../../../schemas/keys.ts'
import type { CreatorState } from '../../../../schemas/types.ts'
import { CREATOR, SOL, T0 } from '../mint/market.ts'
import { bareNulls } from '../mint/mint-given.ts'
import { Creator, DAY_S, launched, mintOf, OTHER_QUOTE, settled } from './creator-given.ts'

const address = (n: number): string => toBase58(mintOf(n))
/** The mints that the caller says are live: one of those below. */
const live: readonly Key[] = [mintOf(5)]
const recordOf = (creator: Creator, asOf: number, since: number | null = T0 - 10) => {
  const record = creatorEvidence(CREATOR, creator.state, { asOf, since, live, chain: solana })
  expect(bareNulls(record)).toEqual([])
  for (const item of record.recent_launches) expect(bareNulls(item)).toEqual([])
  return record
}

test('has empty stats for a wallet that never launched, and states that its launch would be the first', () => {
  const record = creatorEvidence(CREATOR, undefined, { asOf: T0, since: T0 - 60, live: [], chain: solana })
  expect(record).toMatchObject({
    creator: toBase58(CREATOR),
    stats: {
      n_launches: 0,
      n_resolved: 0,
      grad_rate: null,
      rug_rate: null,
      is_first_time: true,
      total_dev_buy_sol: 0,
      observed_since: T0 - 60,
    },
    recent_launches: [],
    n_live_mints: 0,
    live_mints: [],
  })
  expect(bareNulls(record)).toEqual([])
})

test('has a null observation start with a reason before the first frame', () => {
  const record = creatorEvidence(CREATOR, undefined, { asOf: T0, since: null, live: [], chain: solana })
  expect(record.stats).toMatchObject({ observed_since: null, observed_since_reason: expect.any(String) })
})

test('lists launches of every kind, newest first, with the known facts of each', () => {
  const creator = new Creator()
    .receive(T0, [1, launched(T0)], [2, launched(T0)], [3, launched(T0)], [4, launched(T0)], [5, launched(T0)])
    .receive(T0 + 50, [
      1,
      settled(T0, T0 + 50, {
        graduated: true,
        peakQuoteUnits: 85 * SOL,
        devBuyQuoteUnits: 2 * SOL,
        devFirstSellDtS: 20,
        selfGraduated: true,
      }),
    ])
    .receive(T0 + 60, [2, settled(T0, T0 + 60, { rugged: true, rugDtS: 40, peakQuoteUnits: 6 * SOL, devBuyQuoteUnits: SOL / 2 })])
    .receive(T0 + 70, [3, settled(T0, T0 + 70, { graduated: null, rugged: null, censored: 'quote_not_sol', quoteMint: OTHER_QUOTE })])
    .receive(T0 + 80, [4, settled(T0, T0 + 80, { graduated: null, rugged: null, censored: 'gap' })])
  const record = recordOf(creator, T0 + 90)
  expect(record.stats).toMatchObject({
    n_launches: 5,
    n_resolved: 2,
    grad_rate: 0.5,
    rug_rate: 0.5,
    median_dev_sell_s: 20,
    is_first_time: false,
    total_dev_buy_sol: 2.5,
    observed_since: T0 - 10,
  })
  expect(record.recent_launches).toMatchObject([
    { mint: address(5), t0: T0, settled_at: null, graduated: null, graduated_reason: 'not settled', rugged: null, peak_rs: null },
    { mint: address(4), graduated: null, graduated_reason: expect.stringContaining('gap'), rugged: null, peak_rs: 0 },
    { mint: address(3), graduated: null, graduated_reason: expect.stringContaining('SOL'), peak_rs: null },
    { mint: address(2), graduated: 0, rugged: 1, rug_dt_s: 40, peak_rs: 6, self_graduated: false },
    {
      mint: address(1),
      graduated: 1,
      rugged: 0,
      rug_dt_s: null,
      rug_dt_s_reason: 'no rug was observed',
      peak_rs: 85,
      self_graduated: true,
    },
  ])
  expect(record.live_mints).toEqual([address(5)])
})

test('drops launches beyond the horizon from stats and list, and moves the observation start', () => {
  const later = T0 + 80 * DAY_S
  const creator = new Creator().receive(T0, [1, launched(T0)]).receive(later, [2, launched(later)])
  const record = recordOf(creator, T0 + 100 * DAY_S)
  expect(record.stats).toMatchObject({ n_launches: 1, observed_since: T0 + 10 * DAY_S - (T0 % DAY_S) })
  expect(record.recent_launches.map(({ mint }) => mint)).toEqual([address(2)])
})

test('is the same for rows in another order or read from the log', () => {
  const creator = new Creator()
  for (let n = 0; n < 30; n += 1) creator.receive(T0 + n, [n, launched(T0 + n)], [n, settled(T0 + n, T0 + n, { devFirstSellDtS: n * n })])
  const { state } = creator
  const type = loadType('creator-state')
  const turned: CreatorState = {
    ...state,
    launches: [...state.launches].reverse(),
    days: [...state.days].reverse(),
    sells: [...state.sells].reverse(),
  }
  const expected = JSON.stringify(recordOf(creator, T0 + 100))
  const read = type.fromBuffer(type.toBuffer(turned)) as CreatorState
  expect(JSON.stringify(creatorEvidence(CREATOR, read, { asOf: T0 + 100, since: T0 - 10, live, chain: solana }))).toBe(expected)
})
