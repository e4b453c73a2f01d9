// Wrong commands, options and arguments, each forced: one sentence names it, and nothing is created.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { forced } from './mistake.ts'
import { wrongOptions } from './options.ts'

test('wrong commands, options and arguments: each is named, with what to do', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-options-'))
  const mistakes = wrongOptions()
  expect(await forced(mistakes, { MINTFOLD_DATA_DIR: join(dir, 'data'), MINTFOLD_PORT: '0', MINTFOLD_CLICKHOUSE_PORT: '0' })).toEqual([])
  expect(readdirSync(dir)).toEqual([])
  rmSync(dir, { recursive: true })
  process.stderr.write(`${mistakes.length} mistakes forced: commands, options and arguments\n`)
})
