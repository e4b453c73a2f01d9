// Directories of day files: an export that stops, is killed or finds other files, and imports of altered exports.
import { spawn } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { identityOf } from '../../../topology/data-dir/process-identity.ts'
import type { Manifest } from '../../../topology/operations/export/manifest.ts'
import { smallDisk } from '../../tools/small-disk.ts'
import { until } from '../../tools/until.ts'
import { type GivenTapes, givenTapes, manifestIn, rewrite, sumOf, tapeOf } from './tape-given.ts'

const BIN = fileURLToPath(new URL('../../../topology/cli/mintfold.mjs', import.meta.url))
const DAYS = ['2026-10-15', '2026-10-17']
const pathOf = (day: string): string => `solana/tape/${day}.avro`

const DISK_BYTES = 1024 * 1024
const { dir: disk, isMounted } = smallDisk(DISK_BYTES, 'day files on a full disk')

let given: GivenTapes
let tape = ''
let whole = ''
beforeAll(async () => {
  given = givenTapes()
  tape = await given.tape('tape.avro', tapeOf(1))
  whole = given.at('whole')
  expect(await given.export(['--tape', tape, '--out', whole])).toMatchObject({ out: '', code: 0, error: undefined })
})
const LAST = pathOf('2026-10-17')
const flip = (path: string): void => {
  const bytes = readFileSync(path)
  bytes[2_000] = (bytes[2_000] as number) ^ 1
  writeFileSync(path, bytes)
}
const tear = (dir: string): void => {
  const bytes = readFileSync(join(dir, LAST)).length - 10
  truncateSync(join(dir, LAST), bytes)
  const sha256 = sumOf(join(dir, LAST))
  rewrite(dir, (one) => ({ ...one, files: one.files.map((file) => (file.path === LAST ? { ...file, bytes, sha256 } : file)) }))
}
const lacking = (one: Manifest): Manifest => ({
  ...one,
  missing: [{ chain: 'solana', table: 'tape', day: '2026-10-16', reason: 'the log no longer holds it' }],
})
/** A copy to be damaged. */
const copied = (name: string): string => {
  cpSync(whole, given.at(name), { recursive: true })
  return given.at(name)
}

describe('mintfold export --tape', () => {
  test('writes a file for each day with frames, each as the manifest lists it', () => {
    const { files, chains } = manifestIn(whole)
    expect(files.map(({ path }) => path)).toEqual(DAYS.map(pathOf))
    expect(files.map(({ rows }) => rows)).toEqual([50, 50])
    for (const { path, sha256, bytes } of files)
      expect([sumOf(join(whole, path)), readFileSync(join(whole, path)).length]).toEqual([sha256, bytes])
    expect(files.map(({ up_to: upTo }) => upTo)).toEqual([null, chains[0]?.up_to])
  })
  test('of a range writes the days that it overlaps, whole', async () => {
    const dir = given.at('range')
    await given.export(['--tape', tape, '--from', '2026-10-15T12:00:00Z', '--to', '1792108860', '--out', dir])
    expect(manifestIn(dir).files.map(({ day }) => day)).toEqual(DAYS.slice(0, 1))
    expect(manifestIn(dir).range).toEqual({ from: '2026-10-15', to: '2026-10-16' })
  })
  test('that is stopped reports it with exit code 1, is refused by import, and resumes with the same command', async () => {
    const dir = given.at('stopped')
    const stopped = await given.export(['--tape', tape, '--out', dir], AbortSignal.abort())
    expect(stopped).toMatchObject({ code: 1, stderr: [`stopped: ${dir} is incomplete; run the same command to resume`] })
    expect((await given.import([dir, '--out', given.at('none.avro')])).error).toMatchObject({
      message: `${dir} is an unfinished export: run the same mintfold export command again to resume it`,
    })
    expect(await given.export(['--tape', tape, '--out', dir])).toMatchObject({ code: 0, error: undefined })
    expect(manifestIn(dir)).toEqual(manifestIn(whole))
    expect(readdirSync(dir).sort()).toEqual(readdirSync(whole).sort())
  })
  test('that is killed resumes after the days that are whole', async () => {
    const large = await given.tape('large.avro', tapeOf(2, 60_000))
    const dir = given.at('killed')
    const child = spawn(process.execPath, [BIN, 'export', '--tape', large, '--out', dir], { stdio: 'ignore' })
    const first = join(dir, pathOf(DAYS[0] as string))
    await until(() => existsSync(first) || existsSync(`${first}.part`), { msMax: 30_000, everyMs: 1 })
    child.kill('SIGKILL')
    await new Promise((resolve) => child.on('close', resolve))
    expect(existsSync(join(dir, 'manifest.json'))).toBe(false)
    expect(await given.export(['--tape', large, '--out', dir])).toMatchObject({ code: 0, error: undefined })
    await given.export(['--tape', large, '--out', given.at('unkilled')])
    expect(manifestIn(dir)).toEqual(manifestIn(given.at('unkilled')))
    for (const { path, sha256 } of manifestIn(dir).files) expect(sumOf(join(dir, path))).toBe(sha256)
  })
  ;(isMounted ? test : test.skip)('on a full disk reports it, and resumes once there is space', async () => {
    const dir = join(disk, 'days')
    writeFileSync(join(disk, 'ballast'), Buffer.alloc(DISK_BYTES - 60_000))
    const { error } = await given.export(['--tape', tape, '--out', dir])
    expect(error).toMatchObject({ code: 'file_unreadable', message: expect.stringContaining('the disk is full; free some space') })
    rmSync(join(disk, 'ballast'))
    expect(await given.export(['--tape', tape, '--out', dir])).toMatchObject({ code: 0, error: undefined })
    expect(manifestIn(dir)).toEqual(manifestIn(whole))
  })
  test.each([
    ['a finished export', () => whole, 'has a complete export: name another directory'],
    ['other files', () => given.at(''), 'is not empty'],
    [
      'another range',
      () => given.at('other'),
      'has another, unfinished export: it is from 2026-10-15 to the newest, not from the beginning',
    ],
  ])('refuses a directory with %s', async (_what, dirOf, message) => {
    await given.export(['--tape', tape, '--from', '2026-10-15', '--out', given.at('other')], AbortSignal.abort())
    const { error } = await given.export(['--tape', tape, '--out', dirOf()])
    expect(error).toMatchObject({ name: 'UsageError', message: expect.stringContaining(message) })
  })
  test('refuses a directory that another process exports to', async () => {
    const dir = given.at('busy')
    await given.export(['--tape', tape, '--out', dir], AbortSignal.abort())
    const path = join(dir, 'unfinished.json')
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), by: identityOf(process.ppid) }))
    expect((await given.export(['--tape', tape, '--out', dir])).error).toMatchObject({
      message: `process ${process.ppid} is exporting to ${dir}: wait until it ends, or stop it`,
    })
  })
  test.each(['2026-02-30', 'yesterday', '2026-10-15T25:00:00Z'])('takes no %s for a moment', async (text) => {
    expect((await given.export(['--from', text, '--out', given.at('x')])).error).toMatchObject({ name: 'UsageError' })
  })
})

describe('mintfold import of a directory', () => {
  test.each<[string, (dir: string) => void, string]>([
    [
      'a file with another SHA-256',
      (dir) => flip(join(dir, pathOf('2026-10-15'))),
      'solana/tape/2026-10-15.avro does not have the SHA-256 of the manifest',
    ],
    ['a file that is missing', (dir) => rmSync(join(dir, LAST)), 'solana/tape/2026-10-17.avro is missing'],
    [
      'a torn file',
      (dir) => truncateSync(join(dir, LAST), 5_000),
      'solana/tape/2026-10-17.avro is truncated or damaged: it has 5000 bytes',
    ],
    ['a torn file that its manifest lists as whole', (dir) => tear(dir), '2026-10-17.avro is corrupt or truncated at byte'],
    ['a schema that is missing', (dir) => rmSync(join(dir, 'schemas/solana_tape.avsc')), 'schemas/solana_tape.avsc is missing'],
    [
      'the manifest of a newer format',
      (dir) => rewrite(dir, (one) => ({ ...one, format: 2 })),
      'has format 2, but this version reads format 1',
    ],
    ['an invalid manifest', (dir) => writeFileSync(join(dir, 'manifest.json'), '{"format":1'), 'cannot be read as JSON'],
    ['no manifest', (dir) => rmSync(join(dir, 'manifest.json')), 'is a directory without manifest.json'],
    [
      'a file outside of it',
      (dir) => rewrite(dir, ({ files, ...one }) => ({ ...one, files: [{ ...files[0], path: '../tape.avro' }] })),
      'is not a manifest of this format: files.0.path',
    ],
    ['a day that its export could not have', (dir) => rewrite(dir, lacking), 'no tape of 2026-10-16, between'],
  ])('names %s, and writes nothing', async (what, spoil, message) => {
    const dir = copied(`spoilt ${what}`.replaceAll(' ', '-'))
    spoil(dir)
    const out = given.at('spoilt.avro')
    const { error } = await given.import([dir, '--out', out])
    expect(error).toMatchObject({ name: 'UsageError', message: expect.stringContaining(message) })
    expect([existsSync(out), readdirSync(given.at('')).some((name) => name.endsWith('.part'))]).toEqual([false, false])
  })
  test('of several joins their days, and refuses repeated days and days after an incomplete one', async () => {
    const [first, rest, other, short, late] = [
      given.at('first'),
      given.at('rest'),
      given.at('of-another'),
      given.at('short'),
      given.at('late'),
    ]
    await given.export(['--tape', tape, '--to', '2026-10-15', '--out', first])
    await given.export(['--tape', tape, '--from', '2026-10-16', '--out', rest])
    await given.export(['--tape', await given.tape('another.avro', tapeOf(9)), '--to', '2026-10-16', '--out', other])
    await given.export(['--tape', await given.tape('short.avro', tapeOf(1).slice(0, 50)), '--out', short])
    await given.export(['--tape', tape, '--from', '2026-10-17', '--out', late])
    const out = given.at('joined.avro')
    expect(await given.import([rest, first, '--out', out])).toMatchObject({ code: 0, error: undefined })
    expect(sumOf(out)).toBe(sumOf(tape))
    for (const [dirs, message] of [
      [[first, whole], 'are of the same day, and both are the same'],
      [[other, whole], 'are of the same day, and they differ'],
      [[first, late], 'no tape of 2026-10-16, between'],
      [[short, rest], 'ends at 2026-10-15T23:59:49Z, before'],
    ] as const)
      expect((await given.import([...dirs, '--out', given.at('no.avro')])).error).toMatchObject({
        name: 'UsageError',
        message: expect.stringContaining(message),
      })
  })
  test('takes directories or files, not both', async () => {
    expect((await given.import([whole, tape, '--out', given.at('no.avro')])).error).toMatchObject({ name: 'UsageError' })
    expect((await given.import([whole, '--assume-complete', '--out', given.at('no.avro')])).error).toMatchObject({ name: 'UsageError' })
    expect((await given.import([whole, '--chain', 'alt', '--out', given.at('no.avro')])).error).toMatchObject({
      message: '--chain alt: the directories have only the tape of solana',
    })
  })
})
