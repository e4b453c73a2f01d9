// Creators in SQL: cases that a demo lacks. demo-in-sql.test.ts shows that the figures are those of the API.
import { toBase58 } from '../../schemas/keys.ts'
import { MINT_TABLES } from '../../topology/history/rows/mint-tables.ts'
import { RowBatch } from '../../topology/history/rows/row-batch.ts'
import { key } from '../unit/processors/mint/market.ts'
import { statsOf } from './creator-stats-rows.ts'
import { describeEngine } from './history-server-given.ts'
import { DAY, frame, launch, outcome, SOL, T0 } from './sink-figures-given.ts'
import { type GivenHistories, givenHistories } from './sink-given.ts'

describeEngine('creator_stats', () => {
  let given: GivenHistories
  beforeAll(async () => {
    given = await givenHistories({ copied: 2 })
  })
  afterAll(() => given.remove())

  test('leaves out launches older than 91 days, outcomes with an unknown label, and buys in other quotes', async () => {
    const client = await given.fresh()
    const batch = new RowBatch(MINT_TABLES)
    const now = T0 + 100 * DAY
    const old = { ...launch(0, key(1)), timestamp: now - 95 * DAY }
    const recent = [2, 3, 4].map((n) => ({ ...launch(n, key(n)), timestamp: now - n * DAY }))
    batch.tape(frame(1, now, [old, ...recent]), true)
    const settled = [
      outcome(1, now - 95 * DAY, now - 94 * DAY, { rugged: true, devFirstSellDtS: 1, devBuyQuoteUnits: SOL }),
      outcome(2, now - 2 * DAY, now, { rugged: true, devFirstSellDtS: 10, devBuyQuoteUnits: SOL }),
      outcome(3, now - 3 * DAY, now, { graduated: true, devFirstSellDtS: 21, devBuyQuoteUnits: 2 * SOL }),
      outcome(4, now - 4 * DAY, now, { graduated: null, rugged: true, censored: 'quote_not_sol', quoteMint: key(9), devBuyQuoteUnits: 7 }),
    ]
    for (const [offset, conclusion] of settled.entries()) batch.conclusion(conclusion, offset)
    batch.progress({ sink: 'test', upTo: now })
    for (const { table, columns, body } of batch.take()) await client.insert({ table, columns, format: 'RowBinary', body })
    expect(await statsOf(client)).toEqual([
      {
        creator: toBase58(key(51)),
        n_launches: 3,
        n_resolved: 2,
        grad_rate: 0.5,
        rug_rate: 0.5,
        median_dev_sell_s: 15.5,
        is_first_time: 0,
        observed_since: now,
        total_dev_buy_sol: 3,
        as_of_s: now,
      },
    ])
  })

  test('a launch counts for its caller and for a wallet that it names as creator, but not for a program that it names', async () => {
    const client = await given.fresh()
    const batch = new RowBatch(MINT_TABLES)
    const named = [
      { ...launch(1, key(1)), creator: key(52) },
      { ...launch(2, key(2)), creator: key(53), creatorIsWallet: false },
      launch(3, key(3)),
    ]
    batch.tape(frame(1, T0, named), true)
    const settled = named.map(({ creator }, n) => outcome(n + 1, T0, T0 + 60, { creator, rugged: n < 2 }))
    for (const [offset, conclusion] of settled.entries()) batch.conclusion(conclusion, offset)
    batch.progress({ sink: 'test', upTo: T0 + 60 })
    for (const { table, columns, body } of batch.take()) await client.insert({ table, columns, format: 'RowBinary', body })
    const stats = new Map((await statsOf(client)).map((row) => [row.creator, row]))
    expect([...stats.keys()].sort()).toEqual([toBase58(key(51)), toBase58(key(52))].sort())
    expect(stats.get(toBase58(key(51)))).toMatchObject({ n_launches: 3, n_resolved: 3, rug_rate: 2 / 3 })
    expect(stats.get(toBase58(key(52)))).toMatchObject({ n_launches: 1, n_resolved: 1, rug_rate: 1 })
  })
})
