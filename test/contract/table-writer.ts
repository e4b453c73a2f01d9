// Writes rows to an lmdb table as fast as they become durable, and says each number once it is; killed by its test.
import { openLmdbTable } from '../../topology/stores/lmdb-table.ts'

const [dir, start] = process.argv.slice(2)
const table = openLmdbTable<{ readonly count: number }>(dir ?? '')
for (let count = Number(start); ; count++) {
  await table.put(String(count).padStart(9, '0'), { count })
  process.stdout.write(`${count}\n`)
}
