// Chain bytes shared by the tests of this folder. See test/recordings/PROVENANCE.md.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type ChainFile, parseChainFile } from '../../../../processors/chains/solana/chain-file.ts'
import { type EventLine, linesOfBlock } from '../../../../processors/chains/solana/decode-lines.ts'
import { makeFrames } from '../../../../processors/chains/solana/make-frames.ts'
import { toFrameTransaction } from '../../../../processors/chains/solana/normal-form.ts'
import type { FrameTransaction, RawFrame } from '../../../../schemas/types.ts'

const DATA = join(process.cwd(), 'test/data/solana')

/** Files of a folder, without .gz. */
export const namesIn = (folder: string): string[] => readdirSync(join(DATA, folder)).map((name) => name.replace(/\.gz$/, ''))

export const readData = (path: string): Buffer => readFileSync(join(DATA, path))

/** A transaction file as returned by the RPC. */
export const readJson = (name: string): Record<string, unknown> => JSON.parse(gunzipSync(readData(`tx/${name}.json.gz`)).toString())

export const parse = (bytes: Buffer, name: string): ChainFile => {
  const parsed = parseChainFile(bytes, name)
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.value
}
const opened = new Map<string, ChainFile>()
/** A parsed file, cached: blocks are large. */
export const open = (path: string): ChainFile => {
  const file = opened.get(path) ?? parse(readData(path), path)
  opened.set(path, file)
  return file
}
export const openText = (text: string): ChainFile => parse(Buffer.from(text), 'made')
export const openJson = (json: unknown): ChainFile => openText(JSON.stringify(json))

/** The event lines of a file; none of its records is an error. */
export const eventsOf = (file: ChainFile): EventLine[] =>
  file.blocks.flatMap((block) =>
    [...linesOfBlock(block)].map((line) => {
      if ('error' in line) throw new Error(`${line.error}: ${line.reason}`)
      return line
    }),
  )

export const framesOf = (...files: ChainFile[]): RawFrame[] => {
  const made = makeFrames(
    files.flatMap(({ blocks }) => blocks),
    false,
  )
  if (!made.ok) throw new Error(made.reason)
  return made.value.frames
}

/** The only transaction of a file, in the normal form. */
export const frameTransaction = (file: ChainFile): FrameTransaction => {
  const tx = file.blocks[0]?.transactions[0]
  if (tx === undefined) throw new Error('no transaction')
  return toFrameTransaction(tx, tx.index ?? 0)
}

/** Expected content of each transaction file, from the authors of the data. */
export interface ManifestEntry {
  readonly file: string
  readonly signature: string
  readonly slot: number | null
  readonly version: string | number
  readonly encoding: string
  readonly events: readonly { readonly program: string; readonly name: string; readonly bytes: number }[]
}
export const manifest: readonly ManifestEntry[] = JSON.parse(readFileSync(join(DATA, 'manifest.json'), 'utf8'))

/** An event's bytes, and the fields that an independent reader found in them. */
export interface Vector {
  readonly program: 'pump' | 'pump_amm'
  readonly event: string
  readonly data_base64: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly trailing_bytes: number
}
const lines = (name: string): string[] => readData(`events/${name}`).toString().trim().split('\n')
export const vectors: readonly Vector[] = lines('event-vectors.jsonl').map((line) => JSON.parse(line))
export const sequences: readonly { readonly events: readonly Vector[] }[] = lines('log-sequences-2026H2.jsonl').map((line) =>
  JSON.parse(line),
)
/** Bytes of a vector. */
export const bytesOf = (vector: Vector): Buffer => Buffer.from(vector.data_base64, 'base64')
/** The first vector of an event that matches. */
export const vectorOf = (event: string, fits: (vector: Vector) => boolean = () => true): Vector => {
  const found = [...vectors, ...sequences.flatMap(({ events }) => events)].find((vector) => vector.event === event && fits(vector))
  if (found === undefined) throw new Error(`no vector of ${event}`)
  return found
}
