// Unusable paths, for every command that takes one: files to read, files to write, and the data directory.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { openLmdbLog } from '../../../topology/logs/lmdb/lmdb.ts'
import { storesOwner, versionsOf, writeStoresUpdate } from '../../../topology/versions/stores-record.ts'
import { TOPICS } from '../../fixtures/topics.ts'
import type { Mistake } from './mistake.ts'

const MINT = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'
export const LAUNCHES = join(__dirname, '../../recordings/launches.avro')

/** Creates in `dir` the files that wrong paths need. */
export const makePlaces = async (dir: string): Promise<void> => {
  const at = (...names: string[]): string => join(dir, ...names)
  mkdirSync(at('folder'))
  mkdirSync(at('full'))
  writeFileSync(at('full', 'something'), '')
  writeFileSync(at('words'), 'some words')
  writeFileSync(at('empty'), '')
  symlinkSync(at('nowhere'), at('link'))
  symlinkSync(at('circle'), at('circle'))
  writeFileSync(at('cut.avro'), Buffer.from('Obj\x01half', 'latin1'))
  for (const [name, partitions, change] of [
    ['newer', 4, 1],
    ['parts', 3, 0],
  ] as const) {
    const log = await openLmdbLog({ dir: at(name, 'log'), partitions })
    const versions = versionsOf(LAUNCH_RISK).map((one) => ({ ...one, version: one.version + change }))
    await writeStoresUpdate(await log.own(storesOwner('solana')), TOPICS, 'solana', {
      stores: { versions, state: 'whole', redrive: 0, revision: 0, rolledBack: [] },
    })
    await log.close()
  }
  mkdirSync(at('torn', 'log'), { recursive: true })
  writeFileSync(at('torn', 'log', 'data.mdb'), 'something else')
}

type PathCommand = readonly [name: string, argvOf: (path: string) => readonly string[]]
const READERS: readonly PathCommand[] = [
  ['replay', (path) => ['replay', path]],
  ['replay of two', (path) => ['replay', LAUNCHES, path]],
  ['replay --model', (path) => ['replay', LAUNCHES, '--print', 'odds', '--model', path]],
  ['why --model', (path) => ['why', MINT, 'odds', '--in', LAUNCHES, '--model', path]],
  ['verify-tape', (path) => ['verify-tape', path]],
  ['decode', (path) => ['decode', path]],
  ['import', (path) => ['import', path, '--out', '/none/out.avro']],
  ['record', (path) => ['record', '--source', `recording:${path}`, '--out', '/none/out.avro']],
  ['restore', (path) => ['restore', path]],
]
const WRITERS: readonly PathCommand[] = [
  ['import --out', (path) => ['import', join(__dirname, '../../data/solana/tx/amm_buy-2zNeSn8c.json.gz'), '--out', path]],
  ['record --out', (path) => ['record', '--source', `recording:${LAUNCHES}`, '--out', path]],
  ['replay --tape-out', (path) => ['replay', LAUNCHES, '--tape-out', path]],
]
/** Commands that write a data directory. */
const WORKERS: readonly (readonly string[])[] = [
  ['up', '--source', `recording:${LAUNCHES}`],
  ['history'],
  ['sandbox', '--port', '0'],
  ['restore', LAUNCHES],
]
/** Commands that only read a data directory. */
const LOOKERS: readonly (readonly string[])[] = [
  ['backup', '--out', '/none/b'],
  ['dead-letters', 'list'],
  ['settlements', 'list'],
  ['record', '--source', 'log', '--out', '/none/r.avro'],
  ['verify-tape', '--history'],
  ['sql', 'SELECT 1'],
  ['why', MINT, 'odds'],
]

/** Existing files with wrong content. */
const CONTENTS = /(words|empty|cut\.avro)$/
/**
 * Whether the command reports the path as wrong usage (exit code 2): `decode` and `import`, which read chain data, do so for wrong content.
 * `import` also takes directories, those that `export` writes.
 */
const isOfContents = (command: string, path: string): boolean =>
  command === 'import' ? /folder$/.test(path) || CONTENTS.test(path) : command === 'decode' && CONTENTS.test(path)

export const wrongPaths = (dir: string): readonly Mistake[] => {
  const at = (...names: string[]): string => join(dir, ...names)
  const unread: readonly (readonly [path: string, message: RegExp])[] = [
    [at('absent'), /there is no file/],
    [at('words', 'below'), /a part of this path is a file/],
    [at('folder'), /is a directory/],
    [at('link'), /there is no file/],
    [at('circle'), /cannot be read/],
    [at('words'), /is not a recording|not a mintfold backup|has no chain data that mintfold can read|is no JSON|is not JSON/],
    [at('empty'), /is not a recording|not a mintfold backup|has no chain data that mintfold can read|is no JSON|is not JSON/],
    [at('cut.avro'), /is not a recording|not a mintfold backup|recording or another Avro file|is no JSON|is not JSON/],
  ]
  const unwritten: readonly (readonly [path: string, message: string])[] = [
    [at('none', 'out'), 'its directory does not exist; create it first'],
    [at('words', 'out'), 'a part of this path is a file'],
    [at('folder'), 'is a directory; use a file in it'],
    ['/proc/out', 'cannot be written'],
  ]
  return [
    ...READERS.flatMap(([name, argvOf]) =>
      unread.map(
        ([path, message]): Mistake => ({
          what: `${name} ${path}`,
          argv: argvOf(path),
          env: { MINTFOLD_DATA_DIR: at('new') },
          code: isOfContents(name, path) ? 2 : 3,
          messages: [path, message],
        }),
      ),
    ),
    ...WRITERS.flatMap(([name, argvOf]) =>
      unwritten.map(([path, message]): Mistake => ({ what: `${name} ${path}`, argv: argvOf(path), code: 3, messages: [path, message] })),
    ),
  ]
}

/** Existing data directories that `up` refuses; `doctor` reports them in advance. */
export const wrongDirectories = (dir: string): readonly Mistake[] => {
  const at = (...names: string[]): string => join(dir, ...names)
  const dataDirs: readonly (readonly [path: string, message: string])[] = [
    [at('words'), 'is a file, not a directory'],
    [at('words', 'a', 'b'), 'is a file, not a directory'],
    [at('link'), 'is a broken link'],
    [at('circle', 'a'), 'is a broken link'],
    ['/proc/mintfold', 'nothing can be created in /proc'],
    ['/proc/self', 'nothing can be created in /proc/self'],
    [at('x'.repeat(300)), 'a part of its name is too long'],
  ]
  const kept: readonly (readonly [path: string, message: string])[] = [
    [at('newer'), 'run the newer program'],
    [at('parts'), 'MINTFOLD_PARTITIONS'],
    [at('torn'), join('torn', 'log')],
  ]
  const up = WORKERS[0] as readonly string[]
  return [
    ...WORKERS.flatMap((argv) =>
      dataDirs.map(
        ([path, message]): Mistake => ({
          what: `${argv[0]} in ${path}`,
          argv,
          env: { MINTFOLD_DATA_DIR: path },
          code: 3,
          messages: ['MINTFOLD_DATA_DIR', message],
          doctor: { message },
        }),
      ),
    ),
    ...kept.map(
      ([path, message]): Mistake => ({
        what: `up in ${path}`,
        argv: up,
        env: { MINTFOLD_DATA_DIR: path },
        code: 3,
        messages: [message],
        doctor: { message },
      }),
    ),
    {
      what: 'restore into a directory that is not empty',
      argv: ['restore', LAUNCHES],
      env: { MINTFOLD_DATA_DIR: at('full') },
      code: 3,
      messages: ['is not empty (something)', 'MINTFOLD_DATA_DIR'],
    },
    ...LOOKERS.flatMap((argv) =>
      [at('absent'), at('folder'), at('words')].map((path): Mistake => {
        const code = argv[0] === 'sql' || argv[0] === 'verify-tape' ? 3 : 2
        return { what: `${argv.join(' ')} in ${path}`, argv, env: { MINTFOLD_DATA_DIR: path }, code, messages: [path, 'MINTFOLD_DATA_DIR'] }
      }),
    ),
  ]
}
