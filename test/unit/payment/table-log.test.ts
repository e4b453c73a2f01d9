import { paymentLimits } from '../../../query-api/payment/limits.ts'
import type { SettlementLine } from '../../../query-api/payment/stores/settlement-log.ts'
import { TableLog } from '../../../query-api/payment/stores/table-log.ts'
import { createMemoryTable } from '../../../topology/data-dir/memory-table.ts'

const OLD = 12
const START_MS = Date.UTC(2026, 9, 15)
const AGED_MS = START_MS + paymentLimits.linesMs + OLD

const line = (at: number): SettlementLine => ({
  ...{ at, startedAt: at, identity: String(at), state: 'settled', path: '/v1/x', payer: 'p', amount: '1' },
  ...{ network: 'n', asset: 'a', payTo: 'b', transaction: null, reason: null, signed: null },
})
const agesIn = async (log: TableLog): Promise<number[]> => {
  const ages: number[] = []
  for await (const { at } of log.lines()) ages.push(at)
  return ages
}

describe('the ledger of settlements in a table', () => {
  test('drops old lines with each append, oldest first, also after a restart', async () => {
    const table = createMemoryTable<SettlementLine>()
    const before = new TableLog(table)
    for (let n = 0; n < OLD; n++) await before.append(line(START_MS + n))
    expect(await agesIn(before)).toHaveLength(OLD)
    const log = new TableLog(table)
    await log.append(line(AGED_MS))
    const left = OLD - paymentLimits.linesDroppedMax
    expect(await agesIn(log)).toEqual([...Array.from({ length: left }, (_, n) => START_MS + paymentLimits.linesDroppedMax + n), AGED_MS])
    await log.append(line(AGED_MS + 1))
    expect(await agesIn(log)).toEqual([AGED_MS, AGED_MS + 1])
  })
  test('does not scan the table while its lines are young', async () => {
    const table = createMemoryTable<SettlementLine>()
    let looks = 0
    const log = new TableLog({
      ...table,
      entries: () => {
        looks++
        return table.entries()
      },
    })
    const atStart = looks
    for (let n = 0; n < OLD; n++) await log.append(line(START_MS + n))
    expect(looks).toBe(atStart)
  })
})
