// Wrong settings, each forced: one sentence with the name and what is valid, and doctor reports it in advance.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { forced, type Mistake } from './mistake.ts'
import { forgotten, wrongNames, wrongTogether, wrongValues } from './settings.ts'

let dir = ''
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'mintfold-mistakes-'))
})
afterAll(() => rmSync(dir, { recursive: true }))

test('no setting is missing', () => {
  expect(forgotten()).toEqual([])
})

test.each<[string, readonly Mistake[]]>([
  ['wrong values of settings', wrongValues()],
  ['wrong names of settings', wrongNames()],
  ['settings that do not go together', wrongTogether()],
])('%s: each is named, with what to do', async (what, mistakes) => {
  const env = { MINTFOLD_DATA_DIR: join(dir, 'data'), MINTFOLD_PORT: '0', MINTFOLD_CLICKHOUSE_PORT: '0' }
  expect(await forced(mistakes, env)).toEqual([])
  expect(readdirSync(dir)).toEqual([])
  process.stderr.write(`${mistakes.length} mistakes forced: ${what}\n`)
})
