// Data directories, and backups, of older versions, which had the idempotency store and the ledger of settlements in separate folders.
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import { lineOf } from '../../../query-api/payment/stores/settlement-log.ts'
import { adoptFormerTables, openPaymentTables } from '../../../topology/cli/selling/payment-tables.ts'
import { dataDirBackup } from '../../../topology/operations/backup/data-dir.ts'
import { restoreBackup } from '../../../topology/operations/backup/restore.ts'
import { StoreRestore } from '../../../topology/operations/backup/restore-store.ts'
import { entryOf } from '../../contract/idempotency-store-contract.ts'

let dataDir = ''
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mintfold-former-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

const entry = entryOf({ state: 'uncertain' })
const line = lineOf('a', entry, 'uncertain', 1)

const leaveFormer = async (): Promise<void> => {
  for (const [folder, value] of [
    ['payments', entry],
    ['settlements', line],
  ] as const) {
    const former = open<object, string>({ path: join(dataDir, folder), encoding: 'json', noSubdir: false })
    await former.put('a', value)
    await former.close()
  }
}
const adopted = async () => {
  const opened = openPaymentTables(dataDir)
  await adoptFormerTables(dataDir, opened)
  const rows = [[...opened.tables.book.entries()], [...opened.tables.settlements.entries()]]
  await opened.close()
  return rows
}

test('a seller that opens former folders moves their rows to the tables and removes the folders', async () => {
  await leaveFormer()
  const rows = [[['a', entry]], [['a', line]]]
  expect(await adopted()).toEqual(rows)
  expect(['payments', 'settlements'].map((folder) => existsSync(join(dataDir, folder)))).toEqual([false, false])
  expect(await adopted()).toEqual(rows)
})

test('what a former backup restores is adopted in the same way', async () => {
  const restore = await StoreRestore.create(dataDir, 'payments', [''])
  await restore.put([{ table: '', key: Buffer.from('a'), value: Buffer.from(JSON.stringify(entry)) }])
  await restore.close()
  expect(await adopted()).toEqual([[['a', entry]], []])
})

test('a backup of a directory that no seller has opened since has them too', async () => {
  await leaveFormer()
  const [out, progress] = [join(dataDir, 'b1'), () => {}]
  const backup = dataDirBackup({ dataDir, version: 'test', now: Date.now, live: () => [] })
  expect((await backup({ out, progress, stop: new AbortController().signal }))?.leftOut).toEqual([])
  const former = dataDir
  dataDir = join(former, 'restored')
  await restoreBackup({ path: out, dataDir, progress })
  expect(await adopted()).toEqual([[['a', entry]], [['a', line]]])
  dataDir = former
})
