// The contract suite over both adapters that need nothing but this machine.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLmdbLog } from '../../topology/logs/lmdb.ts'
import { createMemoryLog } from '../../topology/logs/memory.ts'
import { logContract } from './log-contract.ts'
import { logModel } from './log-model.ts'
import type { LogSetup, OpenLog } from './log-topics.ts'

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

logContract('memory', openMemory)
logModel('memory', openMemory)
logContract('lmdb', openLmdb)
logModel('lmdb', openLmdb)
