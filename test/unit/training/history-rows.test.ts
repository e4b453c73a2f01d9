// Reads training rows over a history with given answers. Does not simulate SQL.
import type { TrainingRow } from '../../../processors/odds/train/rows.ts'
import { toBase58 } from '../../../schemas/keys.ts'
import type { HistoryClient } from '../../../topology/history/client.ts'
import { readHistoryRows } from '../../../topology/training/history-rows.ts'
import { givenJudgement } from '../../fixtures/odds-given.ts'

const FROM_S = 1_790_000_000
const HOUR_S = 3_600

interface Asked {
  readonly from: number
  readonly to: number
}

/** One settled launch every ten minutes; every third is censored. */
const historyOf = (hours: number) => {
  const pages: Asked[] = []
  const key = toBase58(givenJudgement().mint)
  const rows = async (sql: string, params: Record<string, number> = {}): Promise<readonly object[]> => {
    if (sql.includes('min(t0)'))
      return [{ n: hours, from_s: FROM_S, to_s: FROM_S + hours * HOUR_S, until_s: FROM_S + (hours + 2) * HOUR_S }]
    if (!sql.includes('INNER JOIN')) return [{ n: 7 }]
    const { from = 0, to = 0, limit = 0 } = params
    pages.push({ from, to })
    const digits = Object.fromEntries([...sql.matchAll(/toString\(j\.(\w+)\)/g)].map(([, column]) => [column, '12345678901234567890']))
    const found: object[] = []
    for (let t0 = FROM_S; t0 < FROM_S + hours * HOUR_S; t0 += 600)
      if (t0 >= from && t0 < to)
        found.push({
          ...digits,
          mint: key,
          creator: key,
          t0_s: t0,
          age_s: 10,
          censored: (t0 - FROM_S) % 1_800 === 0 ? 'gap' : null,
          known_at_s: t0 + 4_000,
        })
    return found.slice(0, limit)
  }
  return { pages, client: { database: 'mintfold', rows } as unknown as HistoryClient }
}
const read = async (hours: number, rowsMax: number, pageRowsMax: number) => {
  const { client, pages } = historyOf(hours)
  const rows: TrainingRow[] = []
  const rest = { untilS: 2 ** 32 - 1, stop: new AbortController().signal, progress: () => {} }
  const answer = await readHistoryRows(client, { ...rest, rowsMax, pageRowsMax, add: (row) => rows.push(row) })
  expect(rows.every(({ judgement }) => judgement.supplyUnits === 12_345_678_901_234_567_890n)).toBe(true)
  return { answer, pages, launches: rows.map(({ judgement }) => judgement.t0) }
}

test('reads the newest hours first, until there are enough rows', async () => {
  const { launches, pages } = await read(10, 6, 100)
  expect(launches).toHaveLength(6)
  expect(Math.min(...launches)).toBeGreaterThanOrEqual(FROM_S + 8 * HOUR_S)
  expect(pages.map(({ from }) => (from - FROM_S) / HOUR_S)).toEqual([9, 8])
})
test('splits a range with more rows than an answer may have, without losing or repeating any', async () => {
  const whole = await read(3, 1_000, 1_000)
  const halves = await read(3, 1_000, 3)
  expect(halves.pages.length).toBeGreaterThan(whole.pages.length)
  expect(halves.launches.toSorted()).toEqual(whole.launches.toSorted())
})
test('counts censored and unsettled launches and does not train on them', async () => {
  const { answer, launches } = await read(3, 1_000, 1_000)
  expect(answer).toEqual({ left: { censored: 18 - launches.length, unresolved: 7 }, untilS: FROM_S + 5 * HOUR_S })
  expect(launches.length).toBe(12)
})
