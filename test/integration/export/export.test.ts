// `mintfold export`: day files of a demo of both chains, and what the manifest says of them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { register as registerImport } from '../../../topology/cli/commands/recordings/import.ts'
import { register as registerReplay } from '../../../topology/cli/commands/recordings/replay.ts'
import { type FileEntry, type Manifest, manifestSchema } from '../../../topology/operations/export/manifest.ts'
import { runCommand } from '../../fakes/run-command.ts'
import { describeEngine } from '../history-server-given.ts'
import { type GivenExports, givenExports } from './given.ts'

const DAYS = ['2026-10-15', '2026-10-16']
const TABLES = ['launches', 'trades', 'flags', 'outcomes']
const CHAINS = [
  { chain: 'solana', prefix: '', number: 'slot' },
  { chain: 'alt', prefix: 'alt_', number: 'block' },
]

const manifestIn = (dir: string): Manifest => manifestSchema.parse(JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')))
const sumsOf = (files: readonly FileEntry[]): readonly string[] => files.map(({ path, sha256 }) => `${path} ${sha256}`)
const tapesOf = ({ files }: Manifest, chain: string): readonly FileEntry[] =>
  files.filter((file) => file.chain === chain && file.table === 'tape')

describeEngine('mintfold export', () => {
  let given: GivenExports
  let whole: Manifest
  beforeAll(async () => {
    given = await givenExports()
    expect(await given.export(['--out', given.at('whole')])).toMatchObject({ out: '', code: 0, error: undefined })
    whole = manifestIn(given.at('whole'))
  })
  afterAll(() => given.remove())

  test('writes a file for each day, table and chain, and every row that stands up to the cut', async () => {
    const names = CHAINS.flatMap(({ chain, prefix }) => [...TABLES.map((table) => `${chain}/${prefix}${table}`), `${chain}/tape`])
    expect(whole.files.map(({ path }) => path.replace(/\.\w+$/, '')).sort()).toEqual(
      names.flatMap((name) => DAYS.map((day) => `${name}/${day}`)).sort(),
    )
    for (const { chain, prefix, number } of CHAINS) {
      const cut = Number(whole.chains.find((one) => one.chain === chain)?.last?.replace(/\D/g, ''))
      for (const table of TABLES.map((name) => prefix + name)) {
        const [sql] = await given.client.rows<{ n: number }>(
          `SELECT count() AS n FROM ${given.client.database}.${table} WHERE ${number} <= ${cut}`,
        )
        const rows = whole.files.filter((file) => file.table === table).reduce((sum, file) => sum + file.rows, 0)
        expect([table, rows]).toEqual([table, sql?.n])
      }
    }
    expect(whole.files.filter(({ table }) => table.endsWith('trades')).every(({ rows }) => rows > 100)).toBe(true)
    expect(new Set(whole.files.filter(({ day }) => day === DAYS[0]).map((file) => file.up_to))).toEqual(new Set([null]))
  })

  test('the tape is made of the history as it is made of the log, to the byte', async () => {
    const dataDir = await given.trimmed(20)
    expect(await given.export(['--out', given.at('again')], { MINTFOLD_DATA_DIR: dataDir })).toMatchObject({ code: 0, error: undefined })
    const again = manifestIn(given.at('again'))
    expect(again.files.filter(({ table }) => table === 'tape').map(({ source }) => source)).toEqual(Array(4).fill('history'))
    expect(sumsOf(again.files)).toEqual(sumsOf(whole.files))
  })

  test.each(CHAINS)('a replay of the day files of $chain finds what the log found', async ({ chain, prefix, number }) => {
    const paths = tapesOf(whole, chain).map(({ path }) => join(given.at('whole'), path))
    const { out, error } = await runCommand(registerReplay, ['replay', ...paths, '--print', 'flags'])
    const found = out.split('\n').flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { id: string }).id]))
    const cut = Number(whole.chains.find((one) => one.chain === chain)?.last?.replace(/\D/g, ''))
    const told = await given.client.rows<{ id: string }>(
      `SELECT finding_id AS id FROM ${given.client.database}.${prefix}flags WHERE ${number} <= ${cut}`,
    )
    expect([error, [...found].sort()]).toEqual([undefined, told.map(({ id }) => id).sort()])
    expect(found.length).toBeGreaterThan(2)
  })

  test.each(CHAINS)('an import of the directory is a tape of $chain that is exported to the same day files', async ({ chain }) => {
    const tape = given.at(`${chain}.avro`)
    const imported = await runCommand(registerImport, ['import', given.at('whole'), '--chain', chain, '--out', tape])
    expect(imported).toMatchObject({ code: 0, error: undefined })
    const dir = given.at(`${chain}-days`)
    expect(await given.export(['--tape', tape, '--out', dir])).toMatchObject({ code: 0, error: undefined })
    expect(sumsOf(manifestIn(dir).files)).toEqual(sumsOf(tapesOf(whole, chain)))
  })
})
