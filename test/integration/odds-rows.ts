// Tests of judgements and odds in the history, for a suite that provides tables.
import { toBase58 } from '../../schemas/keys.ts'
import type { Conclusion } from '../../schemas/types.ts'
import type { HistoryClient } from '../../topology/history/client.ts'
import { MINT_TABLES } from '../../topology/history/rows/mint-tables.ts'
import { RowBatch } from '../../topology/history/rows/row-batch.ts'
import { key } from '../unit/processors/mint/market.ts'
import { judgement, odds } from './sink-figures-given.ts'
import { countOf } from './sink-given.ts'

/** Inserts what `fill` puts into a batch. */
export const insert = async (client: HistoryClient, fill: (batch: RowBatch) => void): Promise<void> => {
  const batch = new RowBatch(MINT_TABLES)
  fill(batch)
  for (const { table, columns, body } of batch.take()) await client.insert({ table, columns, format: 'RowBinary', body })
}

/** Numbers as text, as ClickHouse returns those of 64 bits, so that all columns compare alike. */
export const inDigits = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]))

/** Inputs of the fixture `judgement`, by column in the view's order. */
const INPUT_VALUES: Readonly<Record<string, string>> = {
  real_quote_units: '101',
  peak_quote_units: '102',
  n_buys: '103',
  n_sells: '104',
  n_buyers: '105',
  buys_60s: '106',
  sells_60s: '107',
  net_60s_quote_units: '-108',
  buyers_60s: '109',
  last_buy_age_s: '110',
  last_new_buyer_age_s: '111',
  n_holders: '112',
  top1_units: '113',
  top5_units: '114',
  hhi_ppm: '115',
  dev_units: '116',
  bundle_units: '117',
  insider_units: '118',
  circulating_units: '119',
  supply_units: '120',
  dev_buy_quote_units: '121',
  dev_bought_units: '122',
  dev_sold_units: '123',
  n_bundle_wallets: '124',
  bundle_bought_units: '125',
  bundle_sold_units: '126',
  flag_bits: '127',
  prior_n_launches: '128',
  prior_n_resolved: '129',
  prior_n_graduated: '130',
  prior_n_rugged: '131',
  warm_quote_units: '132',
  warm_before_s: '133',
  funder_n_launches: '134',
  funder_n_resolved: '135',
  funder_n_rugged: '136',
}

/** `lent` returns a client of tables without rows. */
export const keepsOdds = (lent: () => Promise<HistoryClient>): void => {
  const at = Date.UTC(2026, 9, 15, 12, 59, 59) / 1_000
  const unknown = {
    ...{ priorLaunches: null, priorResolved: null, priorGraduated: null, priorRugged: null, warmQuoteUnits: null, warmBeforeS: null },
    ...{ funderLaunches: null, funderResolved: null, funderRugged: null, lastBuyAgeS: null, lastNewBuyerAgeS: null },
  }
  const conclusions = [
    judgement(1, at),
    judgement(2, at, { ...unknown, supplyUnits: 2n ** 200n, mayhem: true }),
    odds(1, at),
    odds(2, at + 1),
  ]
  const rowsOf = async ({ rows, database }: HistoryClient, view: string): Promise<readonly Record<string, unknown>[]> =>
    (
      await rows<Record<string, unknown>>(
        `SELECT * FROM ${database}.${view} ORDER BY id SETTINGS output_format_json_quote_64bit_integers = 1`,
      )
    ).map(inDigits)

  test('keep every input under its name, to the unit', async () => {
    const client = await lent()
    await insert(client, (batch) => conclusions.forEach((one, offset) => void batch.conclusion(one, offset)))
    const [full, sparse] = await rowsOf(client, 'judgements')
    expect(full).toMatchObject({
      id: 'judgement 1',
      mint: toBase58(key(1)),
      at: '2026-10-15 12:59:59.000',
      t0: '2026-10-15 12:59:29.000',
    })
    expect(Object.entries(full ?? {}).filter(([name]) => name in INPUT_VALUES)).toEqual(Object.entries(INPUT_VALUES))
    expect(full).toMatchObject({ age_s: '30', is_mayhem: false, slot0: '1' })
    expect(sparse).toMatchObject({ supply_units: String(2n ** 200n), is_mayhem: true, n_buys: '103' })
    const nulls = Object.entries(sparse ?? {}).filter(([, value]) => value === null)
    expect(nulls).toHaveLength(Object.keys(unknown).length)
  })
  test('keep the odds as they were logged, with the hour of the judgement', async () => {
    const client = await lent()
    await insert(client, (batch) => conclusions.forEach((one, offset) => void batch.conclusion(one, offset)))
    const [first, second] = await rowsOf(client, 'odds')
    expect(first).toMatchObject({
      ...{ id: 'odds 1', position: 'solana:1.0.0.0', mint: toBase58(key(1)), t0: '2026-10-15 12:59:29.000', age_s: '30' },
      ...{ head: 'rug_within_300s', ppm: '123456', probability: '0.123456', model: 'model-1', judgement: 'judgement 1' },
      ...{ inputs_hash: 'ab'.repeat(32), is_shadow: false, hour: '2026-10-15 12:00:00' },
    })
    expect(second).toMatchObject({ id: 'odds 2', hour: '2026-10-15 13:00:00' })
  })
  test('hide both once a fork retracts them, and show them again when the branch returns', async () => {
    const client = await lent()
    const [judged, , rated] = conclusions as [Conclusion, Conclusion, Conclusion]
    const counts = (): Promise<readonly number[]> => Promise.all(['judgements', 'odds'].map((view) => countOf(client, view)))
    const put = (offset: number, retraction: string | null): Promise<void> =>
      insert(client, (batch) => [judged, rated].forEach((one) => void batch.conclusion(one, offset, retraction)))
    const seen: (readonly number[])[] = []
    for (const [offset, retraction] of [
      [5, null],
      [6, 'fork'],
      [5, null],
      [7, null],
    ] as const) {
      await put(offset, retraction)
      seen.push(await counts())
    }
    expect(seen).toEqual([
      [1, 1],
      [0, 0],
      [0, 0],
      [1, 1],
    ])
  })
}
