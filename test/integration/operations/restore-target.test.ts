// The target directory of a restore that fails in its last step.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPaymentTables } from '../../../topology/cli/selling/payment-tables.ts'
import { dataDirBackup } from '../../../topology/operations/backup/data-dir.ts'
import { restoreBackup } from '../../../topology/operations/backup/restore.ts'
import { entryOf } from '../../contract/idempotency-store-contract.ts'

let root = ''
const at = (name: string): string => join(root, name)
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mintfold-target-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const takeBackup = async (): Promise<string> => {
  const { tables, close } = openPaymentTables(at('a'))
  await tables.book.put('p1', entryOf({ state: 'uncertain' }))
  await close()
  const [out, stop] = [at('b1'), new AbortController().signal]
  await dataDirBackup({ dataDir: at('a'), version: 'test', now: Date.now, live: () => [] })({ out, progress: () => {}, stop })
  return out
}

test.each([
  ['an empty directory stays empty', true],
  ['a missing one stays missing', false],
])('if the restored directory cannot be renamed, %s, and nothing else is left', async (_, exists) => {
  const path = await takeBackup()
  if (exists) mkdirSync(at('c'))
  let blocks = 0
  await restoreBackup({ path, dataDir: at('counted'), progress: () => void blocks++ })
  const removeAtEnd = (): void => {
    if (--blocks === 0) rmSync(at(`.c.${process.pid}.restore`), { recursive: true })
  }
  await expect(restoreBackup({ path, dataDir: at('c'), progress: removeAtEnd })).rejects.toMatchObject({
    code: 'backup_failed',
    message: expect.stringContaining('rename'),
  })
  expect(existsSync(at('c')) ? readdirSync(at('c')) : null).toEqual(exists ? [] : null)
  expect(readdirSync(root).sort()).toEqual(['a', 'b1', ...(exists ? ['c'] : []), 'counted'])
})
