// Paths that cannot be used, each forced: one sentence with the path, the cause and what to do, and doctor reports the paths that `up`
// refuses.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeDirectory } from '../../tools/remove-directory.ts'
import { forced, type Mistake } from './mistake.ts'
import { makePlaces, wrongDirectories, wrongPaths } from './paths.ts'

let dir = ''
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'mintfold-paths-'))
  await makePlaces(dir)
})
afterAll(() => removeDirectory(dir))

test.each<[string, (dir: string) => readonly Mistake[]]>([
  ['files that cannot be read or written', wrongPaths],
  ['data directories that cannot be used', wrongDirectories],
])(
  '%s: each is named, with what to do',
  async (what, mistakesIn) => {
    const mistakes = mistakesIn(dir)
    const env = { MINTFOLD_DATA_DIR: join(dir, 'data'), MINTFOLD_PORT: '0', MINTFOLD_CLICKHOUSE_PORT: '0', MINTFOLD_LOG_LEVEL: 'silent' }
    expect(await forced(mistakes, env)).toEqual([])
    process.stderr.write(`${mistakes.length} mistakes forced: ${what}\n`)
  },
  600_000,
)
