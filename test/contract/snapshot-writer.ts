// Writes snapshots of one partition in a loop until it is killed: `snapshot-writer.ts DIR`. Prints a line after each.
import type { LogRecord } from '../../topology/ports/log.ts'
import { openFileStore } from '../../topology/snapshots/file-store.ts'
import { PLACE, record } from './snapshot-place.ts'

const RECORDS = 20_000

/** All records of a snapshot have its number. */
async function* batches(number: number): AsyncGenerator<readonly LogRecord[]> {
  for (let offset = 0; offset < RECORDS; offset += 1_000)
    yield Array.from({ length: 1_000 }, (_, n) => record(offset + n, `key ${offset + n}`, `${number}`.padStart(50)))
}

const store = await openFileStore({ dir: process.argv[2] ?? '', bytesMax: 1e9, keepSinceMs: 0, notice: () => {} })
for (let number = 1; ; number++) {
  await store.write(PLACE, { next: RECORDS, madeAtMs: number }, batches(number))
  process.stdout.write(`${number}\n`)
}
