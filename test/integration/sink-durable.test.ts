// Rows that ClickHouse has acknowledged survive a power cut: the sink commits its offsets and never sends them again.

import { MINT_TABLES } from '../../topology/history/rows/mint-tables.ts'
import { PROGRESS } from '../../topology/history/rows/progress-table.ts'
import { RowBatch } from '../../topology/history/rows/row-batch.ts'
import { TAPE_TABLES } from '../../topology/history/rows/tape-tables.ts'
import { describeEngine } from './history-server-given.ts'
import { type GivenHistories, givenHistories } from './sink-given.ts'

describeEngine('the tables of the history', () => {
  let given: GivenHistories
  beforeAll(async () => {
    given = await givenHistories({ views: false })
  })
  afterEach(() => given.rollBack())
  afterAll(() => given.remove())

  test('write parts through to disk before an insert is acknowledged, and merged parts as well', async () => {
    const { database, rows } = await given.lent()
    const tables = await rows<{ name: string; engine_full: string }>(
      "SELECT name, engine_full FROM system.tables WHERE database = {database:String} AND endsWith(name, '_log')",
      { database },
    )
    expect(tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining([...Object.values(TAPE_TABLES), PROGRESS].map(({ name }) => name)),
    )
    const settings = [
      'fsync_after_insert',
      'fsync_part_directory',
      'min_rows_to_fsync_after_merge',
      'min_compressed_bytes_to_fsync_after_merge',
    ]
    for (const { name, engine_full } of tables)
      expect([name, settings.filter((setting) => !engine_full.includes(`${setting} = 1`))]).toEqual([name, []])
  })
  test('count a synced file for every part of an insert', async () => {
    const client = await given.lent()
    const synced = async (): Promise<number> =>
      (
        await client.rows<{ value: number }>("SELECT sum(value) AS value FROM system.events WHERE event IN ('FileSync', 'DirectorySync')")
      )[0]?.value ?? 0
    const before = await synced()
    const batch = new RowBatch(MINT_TABLES)
    batch.progress({ sink: 'test', upTo: 1 })
    for (const { table, columns, body } of batch.take()) await client.insert({ table, columns, format: 'RowBinary', body })
    expect(await synced()).toBeGreaterThan(before)
  })
})
