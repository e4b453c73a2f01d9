// Compaction beyond the log's contract: the in-memory and LMDB logs keep the same records, and a removed key leaves no row in LMDB.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { open } from 'lmdb'
import { openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { out, ROWS, readAll, SETUP, text, write } from '../contract/log-topics.ts'

const { tombstoneRecordsKept } = SETUP
let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mintfold-tombstones-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

test('LMDB keeps a tombstone until `tombstoneRecordsKept` records follow it, then removes all rows of the key', async () => {
  const log = await openLmdbLog({ dir, ...SETUP })
  const owner = await log.own('a')
  await write(owner, [out(ROWS, 0, 'gone', 'v'), out(ROWS, 0, 'gone', null)])
  for (let i = 0; i < tombstoneRecordsKept - 1; i++) await write(owner, [out(ROWS, 0, 'k', `${i}`)])
  expect((await readAll(log, ROWS, 0)).map(({ key }) => text(key))).toEqual(['gone', 'k'])
  await write(owner, [out(ROWS, 0, 'k', 'one more')])
  expect((await readAll(log, ROWS, 0)).map(({ key }) => text(key))).toEqual(['k'])
  await log.close()
  const env = open({ path: dir, noSubdir: false, overlappingSync: false, maxDbs: 2 })
  const keys = [...env.openDB<Uint8Array, Uint8Array>({ name: 'rows', encoding: 'binary', keyEncoding: 'binary' }).getKeys()]
  expect(keys.filter((key) => Buffer.from(key).includes('gone'))).toEqual([])
  // One row of each kind (lmdb-keys.ts): the directory's shape, the record of k, its newest offset, the bounds of the partition, the topic.
  expect(keys).toHaveLength(5)
  await env.close()
})

test('the in-memory and LMDB logs give the same offsets, keys and tombstones for any writes', async () => {
  const keyAndValue = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.option(fc.constantFrom('1', '2', '3'), { freq: 2 }))
  const commits = fc.array(fc.array(keyAndValue, { maxLength: 12 }), { maxLength: 15 })
  await fc.assert(
    fc.asyncProperty(commits, async (all) => {
      const own = mkdtempSync(join(dir, 'run-'))
      const logs = [createMemoryLog(SETUP), await openLmdbLog({ dir: own, ...SETUP })]
      for (const log of logs) {
        const owner = await log.own('a')
        for (const writes of all)
          await write(
            owner,
            writes.map(([key, value]) => out(ROWS, 0, key, value)),
          )
      }
      const [memory, lmdb] = await Promise.all(
        logs.map(async (log) => (await readAll(log, ROWS, 0)).map((r) => [r.offset, text(r.key), text(r.value)])),
      )
      expect(lmdb).toEqual(memory)
      for (const log of logs) await log.close()
    }),
    { numRuns: 10 },
  )
})
