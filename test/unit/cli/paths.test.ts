// Invalid paths: each command states what the path is and what it accepts, and never reports a bug.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { register as registerDecode } from '../../../topology/cli/commands/recordings/decode.ts'
import { register as registerImport } from '../../../topology/cli/commands/recordings/import.ts'
import { register as registerRecord } from '../../../topology/cli/commands/recordings/record.ts'
import { register as registerReplay } from '../../../topology/cli/commands/recordings/replay.ts'
import { register as registerVerifyTape } from '../../../topology/cli/commands/recordings/verify-tape.ts'
import { unreadable, unwritable } from '../../../topology/sources/recording/unreadable.ts'
import { type Ran, runCommand } from '../../fakes/run-command.ts'

const LAUNCHES = join(__dirname, '../../recordings/launches.avro')
const RPC_ANSWER = join(__dirname, '../../data/solana/tx')
let dir = ''
const at = (...names: string[]): string => join(dir, ...names)
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mintfold-paths-'))
  mkdirSync(at('folder'))
  writeFileSync(at('words.txt'), 'some words')
})
afterEach(() => rmSync(dir, { recursive: true }))

const readers: readonly (readonly [name: string, run: (path: string) => Promise<Ran>])[] = [
  ['replay', (path) => runCommand(registerReplay, ['replay', path])],
  ['verify-tape', (path) => runCommand(registerVerifyTape, ['verify-tape', path])],
  ['decode', (path) => runCommand(registerDecode, ['decode', path])],
  ['import', (path) => runCommand(registerImport, ['import', path, '--out', at('out.avro')])],
  ['record', (path) => runCommand(registerRecord, ['record', '--source', `recording:${path}`, '--out', at('out.avro')])],
]

describe.each(readers)('mintfold %s', (name, run) => {
  test('reports a directory, a missing file or a path below a file, and prints no content', async () => {
    const stderrOf = async (path: string): Promise<string> => {
      const { error, stderr, out } = await run(path)
      expect([error, out, stderr.filter((line) => line.includes('missing'))]).toMatchObject([
        { name: 'EngineError', code: 'file_unreadable' },
        '',
        [],
      ])
      return (error as Error).message
    }
    // Imports read directories of day files: any other directory is invalid usage.
    if (name === 'import')
      expect((await run(at('folder'))).error).toMatchObject({ name: 'UsageError', message: expect.stringContaining('manifest.json') })
    else expect(await stderrOf(at('folder'))).toMatch(`${at('folder')} is a directory: give the files in it`)
    expect(await stderrOf(at('absent.avro'))).toMatch(`there is no file ${at('absent.avro')}: check its name`)
    expect(await stderrOf(at('words.txt', 'below'))).toMatch('a part of this path is a file, not a directory')
    expect(readdirSync(dir).sort()).toEqual(['folder', 'words.txt'])
  })
})

test('replay and verify-tape explain how to make a recording of another file; decode and import name the commands that read one', async () => {
  for (const [, run] of readers.slice(0, 2))
    expect((await run(at('words.txt'))).error).toMatchObject({
      code: 'not_a_recording',
      message: expect.stringMatching(/is not a recording.*mintfold record makes .* --source log.*mintfold import/),
    })
  for (const [, run] of readers.slice(2, 4))
    expect((await run(LAUNCHES)).error).toMatchObject({
      name: 'UsageError',
      message: expect.stringMatching(/^.*launches\.avro is a recording .*mintfold replay/),
    })
})

describe('an output path', () => {
  const answer = join(RPC_ANSWER, readdirSync(RPC_ANSWER).find((name) => name.endsWith('.json.gz')) ?? '')
  const writers: readonly (readonly [name: string, run: (path: string) => Promise<Ran>])[] = [
    ['replay --tape-out', (path) => runCommand(registerReplay, ['replay', LAUNCHES, '--tape-out', path])],
    ['import --out', (path) => runCommand(registerImport, ['import', answer, '--out', path])],
    ['record --out', (path) => runCommand(registerRecord, ['record', '--source', `recording:${LAUNCHES}`, '--out', path])],
  ]
  test.each(writers)('%s reports a directory, or a path in a missing directory, and leaves no file', async (_name, run) => {
    const errorOf = async (path: string): Promise<unknown> => (await run(path)).error
    expect(await errorOf(at('folder'))).toMatchObject({
      code: 'file_unreadable',
      message: `${at('folder')} cannot be written: it is a directory; use a file in it`,
    })
    expect(await errorOf(at('none', 'out.avro'))).toMatchObject({
      code: 'file_unreadable',
      message: `${at('none', 'out.avro')} cannot be written: its directory does not exist; create it first`,
    })
    expect(readdirSync(dir).sort()).toEqual(['folder', 'words.txt'])
  })
})

test.each([
  ['EACCES', '/x cannot be read by this user: ', '/x cannot be written by this user: '],
  ['EROFS', '/x cannot be read: refused', '/x cannot be written: its file system is read-only; '],
  ['ENOSPC', '/x cannot be read: refused', '/x cannot be written: the disk is full'],
  ['EIO', '/x cannot be read: refused', '/x cannot be written: refused'],
])('%s gives a message with advice', (code, read, written) => {
  const cause = Object.assign(new Error('refused'), { code })
  expect(unreadable('/x', cause)).toMatchObject({ message: expect.stringContaining(read), facts: { path: '/x' }, cause })
  expect(unwritable('/x', cause)).toMatchObject({ message: expect.stringContaining(written), facts: { path: '/x' }, cause })
})
