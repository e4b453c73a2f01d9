// A directory from a setting: an unusable one is reported with cause and advice, and a check leaves no file.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { makeDirectory, openDataDir, tryDirectory } from '../../topology/data-dir/directory.ts'

let dir = ''
const at = (...names: string[]): string => join(dir, ...names)
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mintfold-directory-'))
  writeFileSync(at('file'), 'words')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const wordsOf = (use: () => void): string => {
  try {
    use()
  } catch (failure) {
    expect(failure).toMatchObject({ name: 'EngineError', code: 'directory_unusable' })
    return (failure as Error).message
  }
  return 'used'
}

test('a usable directory is unchanged by a check, and created with its missing parents', () => {
  expect(wordsOf(() => tryDirectory(at('a', 'b', 'c')))).toBe('used')
  mkdirSync(at('there'))
  expect(wordsOf(() => tryDirectory(at('there')))).toBe('used')
  expect([readdirSync(dir).sort(), readdirSync(at('there'))]).toEqual([['file', 'there'], []])
  makeDirectory(at('a', 'b', 'c'), 0o700)
  expect(statSync(at('a', 'b', 'c')).mode & 0o777).toBe(0o700)
})

test.each<[what: string, path: () => string, words: RegExp]>([
  ['a file', () => at('file'), /cannot be used: .*file is a file, not a directory\. Move it away, or use another directory\.$/],
  ['a path below a file', () => at('file', 'a', 'b'), /: .*\/file is a file, not a directory/],
  ['a dangling link', () => at('link'), /: .*\/link is a broken link/],
  ['a link cycle', () => at('circle', 'below'), /: .*\/circle is a broken link/],
  ['an overlong name', () => at('x'.repeat(300)), /a part of its name is too long\. Give it a shorter one\./],
  ['a directory in which nothing can be created', () => '/proc/none/of/ours', /nothing can be created in \/proc\. Use another directory\./],
  ['a system directory that accepts no file', () => '/proc/self', /nothing can be created in \/proc\/self\./],
])('%s is refused with its message, and nothing is created', (_what, path, message) => {
  symlinkSync(at('nowhere'), at('link'))
  symlinkSync(at('circle'), at('circle'))
  for (const use of [tryDirectory, makeDirectory]) {
    const text = wordsOf(() => use(path()))
    expect(text).toMatch(message)
    expect(text).toContain('MINTFOLD_DATA_DIR: /')
  }
  expect(readdirSync(dir).sort()).toEqual(['circle', 'file', 'link'])
})

const NOBODY = 65_534
/** Permissions do not bind root, so another user has to try. */
const asNobody = (path: string): string => {
  const code = `
    const { openDataDir } = await import(${JSON.stringify(pathToFileURL(join(__dirname, '../../topology/data-dir/directory.ts')).href)})
    process.setgid(${NOBODY}); process.setuid(${NOBODY})
    try { openDataDir(${JSON.stringify(path)}); console.log('used') } catch (failure) { console.log(failure.message) }`
  return execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], { encoding: 'utf8' }).trim()
}
const ofRoot = process.getuid?.() === 0 ? describe : describe.skip
ofRoot('another user', () => {
  // The folder that all tests of a run share.
  beforeAll(() => chmodSync(tmpdir(), 0o711))
  test('without access gets the owner and its own uid', () => {
    chmodSync(dir, 0o755)
    expect(asNobody(at('data'))).toBe(
      `MINTFOLD_DATA_DIR: ${at('data')} cannot be used: ${dir} is not writable for this user (uid ${NOBODY}). Make it writable, or use another directory.`,
    )
    chmodSync(dir, 0o700)
    expect(asNobody(at('a', 'b'))).toContain(`${dir} cannot be entered by this user (uid ${NOBODY}). Give this user access`)
    expect(existsSync(at('a'))).toBe(false)
  })
  test('with write access gets the name of a file inside that belongs to another user', () => {
    rmSync(at('file'))
    mkdirSync(at('log'))
    writeFileSync(at('log', 'data.mdb'), '')
    chmodSync(dir, 0o777)
    chmodSync(at('log'), 0o777)
    expect(asNobody(dir)).toContain(
      `${at('log', 'data.mdb')} belongs to uid 0, and this user (uid ${NOBODY}) cannot read and write it. Run as`,
    )
    expect(wordsOf(() => openDataDir(dir))).toBe('used')
  })
})
