// The contract of every durable table, whatever stores it.
import type { DurableTable } from '../../topology/ports/ledger.ts'

export interface Row {
  readonly name: string
  readonly count: number
  readonly list: readonly (string | null)[]
}

export interface OpenTable {
  readonly table: DurableTable<Row>
  close(): Promise<void>
}

const row = (count: number): Row => ({ name: 'snow ☃', count, list: ['a', null] })

export const durableTableContract = (name: string, open: () => Promise<OpenTable>): void => {
  describe(`${name} as a durable table`, () => {
    let opened: OpenTable
    beforeEach(async () => {
      opened = await open()
    })
    afterEach(() => opened.close())

    test('is empty at first', () => {
      expect(opened.table.get('a')).toBeUndefined()
      expect([...opened.table.entries()]).toEqual([])
    })

    test('has an entry unchanged once its put resolved', async () => {
      await opened.table.put('a', row(1))
      expect(opened.table.get('a')).toEqual(row(1))
    })

    test('keeps the last of two puts, also when both are in progress', async () => {
      await Promise.all([opened.table.put('a', row(1)), opened.table.put('a', row(2))])
      expect(opened.table.get('a')).toEqual(row(2))
    })

    test('removes an entry, and removing it again is no error', async () => {
      await opened.table.put('a', row(1))
      await opened.table.remove('a')
      await opened.table.remove('a')
      expect(opened.table.get('a')).toBeUndefined()
    })

    test('lists entries ascending by key, whatever the order of the puts', async () => {
      const keys = ['b', 'aa', 'a', 'ab', '0f', 'ff']
      for (const [count, key] of keys.entries()) await opened.table.put(key, row(count))
      expect([...opened.table.entries()].map(([key]) => key)).toEqual(['0f', 'a', 'aa', 'ab', 'b', 'ff'])
    })

    test('is not affected by later changes of a value by its caller', async () => {
      const value = { name: 'x', count: 1, list: ['a'] }
      await opened.table.put('a', value)
      value.list.push('b')
      expect(opened.table.get('a')).toEqual({ name: 'x', count: 1, list: ['a'] })
    })

    test('stores a megabyte as one value', async () => {
      const large = { ...row(1), name: 'y'.repeat(1024 * 1024) }
      await opened.table.put('a', large)
      expect(opened.table.get('a')).toEqual(large)
    })
  })
}
