// The contract suite over the adapters without external services.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { withOwners } from '../../topology/logs/with-owners.ts'
import type { Log } from '../../topology/ports/log.ts'
import { openRemoteLog } from '../../topology/threads/log/remote-log.ts'
import { serveLog } from '../../topology/threads/log/serve-log.ts'
import { logContract } from './log-contract.ts'
import { logModel } from './log-model.ts'
import { EVENTS, type LogSetup, type OpenLog, ROWS, SINGLE } from './log-topics.ts'

const openMemory = async (setup: LogSetup): Promise<OpenLog> => {
  const log = createMemoryLog(setup)
  return { log, close: () => log.close() }
}
const openLmdb = async (setup: LogSetup): Promise<OpenLog> => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-log-'))
  let log = await openLmdbLog({ dir, ...setup })
  return {
    log,
    reopen: async () => {
      await log.close()
      log = await openLmdbLog({ dir, ...setup })
      return log
    },
    close: async () => {
      await log.close()
      rmSync(dir, { recursive: true })
    },
  }
}

const TOPICS_OF_SUITE = [EVENTS, SINGLE, ROWS]
/** Messages between two ports behave like those between threads. */
const openFar = async (setup: LogSetup): Promise<OpenLog> => {
  const { log: inner, close } = await openLmdb(setup)
  const { port1, port2 } = new MessageChannel()
  const unserve = serveLog(inner, port1, TOPICS_OF_SUITE)
  const log = await openRemoteLog(port2, TOPICS_OF_SUITE)
  return {
    log,
    close: async () => {
      await log.close()
      unserve()
      await close()
    },
  }
}

logContract('memory', openMemory)
logModel('memory', openMemory)
logContract('lmdb', openLmdb)
logModel('lmdb', openLmdb)
logContract('lmdb from another thread', openFar)
logModel('lmdb from another thread', openFar)

test('a log from another thread reports why a record of another program is invalid', async () => {
  const inner = createMemoryLog({ partitions: 1 })
  const owner = await inner.own('writer')
  const record = { topic: EVENTS, partition: 0, key: Buffer.from('k'), value: Buffer.from('v') }
  await owner.commit({ outputs: [record, record], inputs: new Map() })
  const faulty: Log = {
    ...withOwners(inner, (id) => inner.own(id)),
    read: async (...where) =>
      (await inner.read(...where)).map((one) => (one.offset === 1 ? { ...one, fault: 'its schema is unknown' } : one)),
  }
  const { port1, port2 } = new MessageChannel()
  const unserve = serveLog(faulty, port1, TOPICS_OF_SUITE)
  const log = await openRemoteLog(port2, TOPICS_OF_SUITE)
  const records = await log.read(EVENTS, 0, 0, { recordsMax: 10, bytesMax: 1_000 })
  expect(records.map(({ offset, fault }) => [offset, fault])).toEqual([
    [0, undefined],
    [1, 'its schema is unknown'],
  ])
  await log.close()
  unserve()
})
