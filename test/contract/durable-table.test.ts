import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LmdbTables, openLmdbTables } from '../../topology/data-dir/lmdb-tables.ts'
import { createMemoryTable } from '../../topology/data-dir/memory-table.ts'
import { killWriter } from '../tools/kill-writer.ts'
import { durableTableContract, type Row } from './durable-table-contract.ts'
import type { WrittenRows } from './table-writer.ts'

const WRITER = join('test', 'contract', 'table-writer.ts')

durableTableContract('memory', async () => ({ table: createMemoryTable<Row>(), close: async () => undefined }))

const openRows = (dir: string): LmdbTables<{ readonly rows: Row; readonly others: Row }> => openLmdbTables(dir, ['rows', 'others'])

durableTableContract('lmdb', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'mintfold-table-'))
  const opened = openRows(dir)
  return {
    table: opened.tables.rows,
    close: async () => {
      await opened.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
})

describe('lmdb', () => {
  let dir = ''
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'mintfold-table-'))
  })
  afterEach(() => rm(dir, { recursive: true, force: true }))

  test('has everything at the next open after a close', async () => {
    const row = (name: string): Row => ({ name, count: 1, list: [] })
    const before = openRows(dir)
    await Promise.all([before.tables.rows.put('a', row('a')), before.tables.others.put('a', row('b'))])
    await before.close()
    const after = openRows(dir)
    expect([...after.tables.rows.entries()]).toEqual([['a', row('a')]])
    expect([...after.tables.others.entries()]).toEqual([['a', row('b')]])
    await after.close()
  })

  test('after kills at random times has every acknowledged write in both tables, and no other key', async () => {
    const seed = Math.floor(Math.random() * 1e9)
    let next = 0
    for (let kill = 0; kill < 3; kill++) {
      const acknowledged = await killWriter(WRITER, [dir, String(next)], 60 + ((seed >> (kill * 5)) % 200))
      const { tables, close } = openLmdbTables<WrittenRows>(dir, ['rows', 'others'])
      const countsOf = (table: (typeof tables)['rows']): number[] => [...table.entries()].map(([, { count }]) => count)
      const [counts, others] = [countsOf(tables.rows), countsOf(tables.others)]
      await close()
      const hint = `seed ${seed}, kill ${kill}`
      expect([hint, counts]).toEqual([hint, Array.from({ length: counts.length }, (_, index) => index)])
      expect([hint, others]).toEqual([hint, counts])
      expect(counts.length).toBeGreaterThan(acknowledged)
      expect(acknowledged).toBeGreaterThanOrEqual(next)
      next = counts.length
    }
  })

  test('a write after the close is a named failure, and nothing else', async () => {
    const { tables, close } = openRows(dir)
    await close()
    await expect(tables.rows.put('a', { name: 'a', count: 1, list: [] })).rejects.toMatchObject({ code: 'table_io' })
    await new Promise((resolve) => setTimeout(resolve, 20))
  })

  test('a directory that cannot be used is a named failure', () => {
    expect(() => openRows('/dev/null/nowhere')).toThrow(expect.objectContaining({ name: 'EngineError', code: 'table_io' }))
  })
})
