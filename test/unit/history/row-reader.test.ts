// RowBinary is read back as written, and a body that ends within a row gives no row.

import { type Amount, amountOf, clipped } from '../../../schemas/amount.ts'
import { MINT_TABLES } from '../../../topology/history/rows/mint-tables.ts'
import { RowBatch } from '../../../topology/history/rows/row-batch.ts'
import { readRows, type WireRow } from '../../../topology/history/rows/row-reader.ts'
import { checkedTables } from '../../../topology/operations/verify/tables.ts'
import { arbitraryTape } from '../../fixtures/sink-tape.ts'

const TAPE = arbitraryTape()
const batch = new RowBatch(MINT_TABLES)
for (const tape of TAPE) batch.tape(tape, true)
const tables = batch.take()
const shapeOf = (name: string) => {
  const table = checkedTables(MINT_TABLES).find((one) => one.name === name)
  if (table === undefined) throw new Error(`${name} is not checked`)
  return table
}

test.each(tables)('$table: $rows rows', ({ table, rows, body }) => {
  const shape = shapeOf(table)
  const read = readRows(shape, body) ?? []
  expect(read).toHaveLength(rows)
  for (const row of read) expect(row.differs(row)).toEqual([])
  for (const row of read) for (const { name, isNullable } of shape.columns) expect(row.value(name) !== null || isNullable).toBe(true)
  expect(() => (read[0] as WireRow).value('no column of it')).toThrow(RangeError)
})
/** The excess is in the column exact_units. */
const in64Bits = (value: Amount): Amount => amountOf(clipped(BigInt(value), 64))

test('values equal those of the events', () => {
  const trades = tables.find(({ table }) => table === 'trades_log')
  const rows = readRows(shapeOf('trades_log'), trades?.body ?? Buffer.alloc(0)) ?? []
  const events = TAPE.flatMap(({ number, events: all }) => all.flatMap((event) => (event.type === 'trade' ? [{ number, event }] : [])))
  expect(rows.length).toBe(events.length)
  for (const [index, { number, event }] of events.entries()) {
    const row = rows[index] as WireRow
    const columns = [
      'slot',
      'tx_index',
      'mint',
      'user',
      'is_buy',
      'quote_mint',
      'token_units',
      'virtual_quote_units',
      'creator',
      'layout',
    ].map((name) => row.value(name))
    const { tx, mint, user, isBuy, quoteMint, tokenUnits, virtualQuoteUnits, creator, layout } = event
    expect(columns).toEqual([number, tx, mint, user, isBuy, quoteMint, ...[tokenUnits, virtualQuoteUnits].map(in64Bits), creator, layout])
  }
  const boosts = readRows(shapeOf('pool_boosts_log'), tables.find(({ table }) => table === 'pool_boosts_log')?.body ?? Buffer.alloc(0))
  expect(boosts?.[0]?.value('virtual_quote_units')).toBe(-5_000_000_000)
})
test('any cut of a body gives fewer rows or none', () => {
  for (const { table, rows, body } of tables) {
    const shape = shapeOf(table)
    for (let bytes = Math.max(0, body.length - 300); bytes < body.length; bytes++) {
      const read = readRows(shape, Buffer.from(body.subarray(0, bytes)))
      if (read !== undefined) expect(read.length).toBeLessThan(rows)
    }
  }
})
test('an unterminated length gives no row', () => {
  const shape = shapeOf('dead_letters_log')
  expect(readRows(shape, Buffer.alloc(40, 0xff))).toBeUndefined()
})
