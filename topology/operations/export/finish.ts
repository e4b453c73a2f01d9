// Finishes an export: writes the schemas, a README, and last the manifest, which marks the directory as complete.

import { formatPosition, tickOf } from '../../../schemas/position.ts'
import type { Topology } from '../../topology.ts'
import { writeWhole } from './day-file.ts'
import { timeText } from './days.ts'
import type { Cut } from './history-times.ts'
import { type ChainEntry, FORMAT, type Manifest, type RangeEntry } from './manifest.ts'
import type { OutDirectory } from './out-directory.ts'
import type { SchemaFile } from './schema-files.ts'

/** The code that made the tables. */
type RemoteChain = Pick<Topology, 'chain' | 'decode' | 'folds' | 'detectors'>

export const chainEntry = ({ chain, decode, folds, detectors }: RemoteChain, cut: Cut | null): ChainEntry => ({
  chain: chain.name,
  last: cut === null ? null : formatPosition(tickOf(chain.name, cut.number)),
  up_to: cut === null ? null : timeText(cut.time),
  folds: [...decode(1).folds, ...folds(1).folds].map(({ processor: { name, version } }) => ({ name, version })),
  detectors: detectors.all.map(({ id, version, tier, hash = null, flag }) => ({ id, version, flag, tier, hash })),
})

export interface FinishOptions {
  readonly out: OutDirectory
  readonly version: string
  readonly range: RangeEntry
  readonly chains: readonly ChainEntry[]
  readonly schemas: readonly SchemaFile[]
}

const readmeOf = (
  chain: string,
): string => `Day files of mintfold (UTC days). manifest.json lists every file with its rows, bytes, SHA-256, schema, and
first and last position; what is missing, and why; and the folds and detectors of the program that wrote it. schemas/ describes each
column.

  DuckDB   SELECT * FROM '${chain}/*trades/*.parquet'
  pandas   pandas.read_parquet('${chain}/trades/2026-10-15.parquet')
  tape     mintfold replay ${chain}/tape/*.avro --print flags
  all      mintfold import . --chain ${chain} --out tape.avro      (checks every file, then makes one tape)

Names that creators wrote (name, symbol, uri) are untrusted text.
`

/** @throws EngineError file_unreadable */
export const finishExport = async ({ out, version, range, chains, schemas }: FinishOptions): Promise<Manifest> => {
  const entries = []
  for (const { path, text } of schemas) entries.push({ path, sha256: (await writeWhole(out.dir, path, text)).sha256 })
  await writeWhole(out.dir, 'README.txt', readmeOf(chains[0]?.chain ?? '*'))
  const order = (one: { readonly chain: string; readonly table: string; readonly day: string }): string =>
    `${one.chain} ${one.table} ${one.day}`
  const sorted = <One extends Parameters<typeof order>[0]>(all: readonly One[]): One[] =>
    [...all].sort((a, b) => (order(a) < order(b) ? -1 : 1))
  const manifest: Manifest = {
    format: FORMAT,
    program: { name: 'mintfold', version },
    range,
    chains: [...chains],
    files: sorted(out.files),
    schemas: entries,
    missing: sorted(out.missing),
  }
  await out.finish(manifest)
  return manifest
}
