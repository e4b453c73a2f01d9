// Writes rows to two tables of an lmdb as fast as they become durable, and prints each number once it is; killed by its test.
import { openLmdbTables } from '../../topology/data-dir/lmdb-tables.ts'

interface Written {
  readonly count: number
}
export interface WrittenRows {
  readonly rows: Written
  readonly others: Written
}

const [dir = '', start] = process.argv.slice(2)
const { tables } = openLmdbTables<WrittenRows>(dir, ['rows', 'others'])
for (let count = Number(start); ; count++) {
  const key = String(count).padStart(9, '0')
  await Promise.all([tables.rows.put(key, { count }), tables.others.put(key, { count })])
  process.stdout.write(`${count}\n`)
}
