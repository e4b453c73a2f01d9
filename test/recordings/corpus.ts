// The harvested transactions of many repositories, packed into three files of the tests' data with their provenance.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

/** A row of the harvest's manifest. */
interface Row {
  readonly signature: string
  readonly slot: number | null
  readonly blockTime: number | null
  readonly version: number | string | null
  readonly encodings: readonly string[]
  /** `PROGRAM.EVENT/BYTES`, in order of execution. */
  readonly events: readonly string[]
  readonly err: unknown
  readonly check: string
  /** Repository or package, commit, path. */
  readonly source: readonly [repository: string, commit: string | null, path: string]
  readonly file: string
  readonly line: number
}

/** Licences of the repositories; the others have no licence file. */
const LICENCES: Readonly<Record<string, string>> = {
  'crates:sol-parser-sdk-0.11.0': 'MIT',
  'crates:solana-streamer-sdk-6.0.0': 'MIT',
  'RubberArchind/solana-txn-parser': 'MIT',
  'jowency-me/solana-tx-parser': 'MIT',
}
/** Signatures in `trades-2026-10`, whose file names have the first eight characters. */
const isElsewhere = (signature: string, data: string): boolean =>
  readdirSync(join(data, 'trades-2026-10')).some((name) => name.includes(signature.slice(0, 8)))

const linesIn = (path: string): readonly string[] => gunzipSync(readFileSync(path)).toString().trim().split('\n')
const linesIfAny = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

const factsOf = ({ signature, slot, blockTime, version, encodings, events, err, check, source }: Row): object => ({
  signature,
  slot,
  blockTime,
  version,
  encoding: encodings[0],
  events: events.map((event) => {
    const [program, name, bytes] = event.split(/[./]/)
    return { program, name, bytes: Number(bytes) }
  }),
  isFailed: err !== null,
  check,
  source: source[0],
  path: source[2],
})

const provenance = (rows: readonly Row[], packed: readonly string[]): string => {
  const sources = [...new Set(rows.map(({ source }) => source[0]))].sort()
  const sourceRows = sources.map((name) => {
    const count = rows.filter(({ source }) => source[0] === name).length
    return `| ${name} | ${count} | ${LICENCES[name] ?? 'no licence file'} |`
  })
  return `# Transactions of many repositories

Solana mainnet, ${rows.length} transactions of 2024-09 to 2026-10 as their owners keep them; chain data: facts, to which no repository's
licence applies. \`manifest.jsonl\` has for each line of \`transactions.jsonl.gz\` its signature, slot, time, encoding, the repository and
path that it was taken from, whether its signatures verify over the message, and the events that a reader of the harvest found in it:
program, name and number of bytes. Slot and time are null where the owner cut the transaction out of its block.

${packed.map((line) => `- ${line}`).join('\n')}

\`variants.jsonl.gz\` has some of them, and one of \`trades-2026-10\`, in another encoding. Its last line is a foreign form, in which fields
are absent that are zero or empty.

Transactions that are in \`trades-2026-10\` already are left out. Made by \`npm run recordings -- FOLDER\`.

| repository or package | transactions | licence of the repository |
|---|---|---|
${sourceRows.join('\n')}
`
}

/** Packs the lines, and returns the file's row for the provenance. */
const pack = (path: string, lines: readonly string[]): string => {
  const bytes = Buffer.from(linesIfAny(lines))
  writeFileSync(path, gzipSync(bytes, { level: 9 }))
  return `${basename(path)}: ${lines.length} lines; sha256 before gzip ${createHash('sha256').update(bytes).digest('hex')}`
}

/** Copies the transactions that the tests do not have yet, ordered by slot, and their other encodings. */
export const copyCorpus = (source: string, data: string): void => {
  const from = join(source, 'corpus')
  const into = join(data, 'corpus')
  mkdirSync(into, { recursive: true })
  const all: Row[] = readFileSync(join(from, 'manifest.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const rows = all
    .filter(({ file, signature }) => file.startsWith('solana/tx/') && !isElsewhere(signature, data))
    .sort((a, b) => (a.slot ?? 0) - (b.slot ?? 0) || (a.signature < b.signature ? -1 : 1))
  const lineOf = ({ file, line }: Row): string => linesIn(join(from, 'tx', basename(file)))[line - 1] ?? ''
  const variants = readdirSync(join(from, 'tx/variants'))
    .sort()
    .flatMap((name) => linesIn(join(from, 'tx/variants', name)))
  const packed = [pack(join(into, 'transactions.jsonl.gz'), rows.map(lineOf)), pack(join(into, 'variants.jsonl.gz'), variants)]
  writeFileSync(join(into, 'manifest.jsonl'), linesIfAny(rows.map((row) => JSON.stringify(factsOf(row)))))
  writeFileSync(join(into, 'PROVENANCE.md'), provenance(rows, packed))
}
