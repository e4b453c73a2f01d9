// Makes the shipped recordings and the chain bytes of the tests from a folder of recorded RPC answers. Run: npm run recordings -- FOLDER
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { splitFrame } from '../../processors/chains/frame-parts.ts'
import { type ChainFile, parseChainFile } from '../../processors/chains/solana/chain-file.ts'
import { linesOfBlock } from '../../processors/chains/solana/decode-lines.ts'
import { parseSlotStatus } from '../../processors/chains/solana/encodings/slot-status.ts'
import { makeFrames } from '../../processors/chains/solana/make-frames.ts'
import type { SourceBlock } from '../../processors/chains/solana/source-transaction.ts'
import { writeRecording } from '../../topology/sources/recording/recording-file.ts'
import { copyAccounts } from './accounts.ts'
import { copyCorpus } from './corpus.ts'

const HERE = new URL('.', import.meta.url).pathname
const DATA = new URL('../data/solana/', import.meta.url).pathname
const source = process.argv[2] ?? '../shared/data/solana'

/** The entry of one transaction in the folder's manifest. */
interface Entry {
  readonly file: string
  readonly signature: string
  readonly slot: number | null
  readonly blockTime: number | null
  readonly version: string | number
  readonly encoding: string
  readonly events: readonly { readonly program: string; readonly name: string; readonly body_len_with_disc: number }[]
  readonly source: { readonly repo: string; readonly commit?: string; readonly path: string }
}

/** A file of the folder that could be parsed. */
interface Taken {
  readonly name: string
  readonly bytes: Buffer
  readonly file: ChainFile
}

const take = (path: string): Taken | undefined => {
  const bytes = readFileSync(path)
  const parsed = parseChainFile(bytes, basename(path))
  return parsed.ok ? { name: basename(path), bytes, file: parsed.value } : undefined
}

const taken = (folder: string): Taken[] =>
  readdirSync(join(source, folder))
    .sort()
    .flatMap((name) => take(join(source, folder, name)) ?? [])

const record = async (name: string, blocks: readonly SourceBlock[], vouched: boolean): Promise<string> => {
  const made = makeFrames(blocks, vouched)
  if (!made.ok) throw new Error(made.reason)
  const { frames, transactions, kept, repeated } = made.value
  await writeRecording(join(HERE, name), frames.flatMap(splitFrame))
  const sha256 = createHash('sha256')
    .update(readFileSync(join(HERE, name)))
    .digest('hex')
  return `- ${name}: ${frames.length} frames of ${transactions} transactions, ${kept} stored in full, ${repeated} repeated; sha256 ${sha256}`
}

/** True where the slot of every transaction is known; a block without transactions has the file's unreadable records. */
const isPlaced = ({ file }: Taken): boolean => file.blocks.every(({ slot, transactions }) => slot !== null || transactions.length === 0)

/** Mints that one of the files launches in a known slot. */
const launchedMints = (files: readonly Taken[]): Set<string> => new Set(mintsOf(files.filter(isPlaced), (event) => event === 'CreateEvent'))

const mintsOf = (files: readonly Taken[], isWanted: (event: string) => boolean): string[] =>
  files.flatMap(({ file }) =>
    file.blocks.flatMap((block) =>
      [...linesOfBlock(block)].flatMap((line) => ('error' in line || !isWanted(line.event) ? [] : String(line.fields.mint ?? ''))),
    ),
  )

const sha = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Writes the files gzipped at a fixed level, so that the same input gives the same bytes. */
const copy = (folder: string, files: readonly Taken[]): void => {
  rmSync(join(DATA, folder), { recursive: true, force: true })
  mkdirSync(join(DATA, folder), { recursive: true })
  for (const { name, bytes } of files) {
    const isPacked = name.endsWith('.gz')
    writeFileSync(join(DATA, folder, isPacked ? name : `${name}.gz`), gzipSync(isPacked ? gunzipSync(bytes) : bytes, { level: 9 }))
  }
}

/** Copies of each event line the bytes, the fields that a decoder must read from them, and the number of bytes that it must leave. */
const copyEvents = (name: string): void => {
  const keep = ({ program, event, data_base64, fields, trailing_bytes }: Record<string, unknown>): object => ({
    program,
    event,
    data_base64,
    fields,
    trailing_bytes,
  })
  const lines = readFileSync(join(source, 'events', name), 'utf8')
    .trim()
    .split('\n')
  const rows = lines.map((line): Record<string, unknown> => JSON.parse(line))
  const text = rows.map((row) => {
    const { slot, signature, events } = row
    return JSON.stringify(Array.isArray(events) ? { slot, signature, events: events.map(keep) } : keep(row))
  })
  mkdirSync(join(DATA, 'events'), { recursive: true })
  writeFileSync(join(DATA, 'events', name), `${text.join('\n')}\n`)
}

/** Copies only the slot messages of a recorded stream; before each message is its length: four bytes, big endian. */
const copySlots = (path: string): void => {
  const stream = gunzipSync(readFileSync(path))
  const kept: Buffer[] = []
  for (let at = 0; at < stream.length; ) {
    const end = at + 4 + stream.readUInt32BE(at)
    const status = parseSlotStatus(stream.subarray(at + 4, end))
    if (status.ok && status.value) kept.push(stream.subarray(at, end))
    at = end
  }
  mkdirSync(join(DATA, 'stream'), { recursive: true })
  writeFileSync(join(DATA, 'stream', 'slots.bin.gz'), gzipSync(Buffer.concat(kept), { level: 9 }))
}

const provenance = (
  rows: readonly string[],
  blocks: readonly Taken[],
  txs: readonly Taken[],
  entries: readonly Entry[],
  accounts: string,
): string => {
  const blockRows = blocks.map(
    ({ name, bytes, file }) => `- ${name}: slot ${file.blocks[0]?.slot}, hash ${file.blocks[0]?.hash}; sha256 ${sha(bytes)}`,
  )
  const txRows = txs.map(({ name, bytes }) => {
    const entry = entries.find(({ file }) => basename(file) === name)
    const from = entry === undefined ? '' : `${entry.source.repo} ${entry.source.commit?.slice(0, 8) ?? ''} ${entry.source.path}`
    return `- ${name}: slot ${entry?.slot ?? 'unknown'}, ${entry?.encoding}, from ${from}; sha256 ${sha(bytes)}`
  })
  return `# Where the recordings come from

Chain: Solana mainnet. Everything here happened on the chain and was recorded in public repositories; only chain bytes are taken, no
tables. Made by \`npm run recordings -- FOLDER\`, which also writes this page. Frames are in the normal form of
schemas/frame-body.avsc.

${rows.join('\n')}

blocks.avro: both blocks. transactions.avro: every transaction below. launches.avro: the launches of known slot among them with all other
transactions of their mints, declared complete (as by \`mintfold import --assume-complete\`): no other trade of these mints is in the
folder, but the chain has more, so their cards show only what the files have.

## Blocks (test/data/solana/blocks, gzipped again)

The stored block is fanatid/solana-block-tx-decode blocks/332254908; its JSON twin was converted from it; the older block is
SangHyeonKwon/solana-sandwich-detector fixtures/slot_285000037.json (MIT).

${blockRows.join('\n')}

## Transactions (test/data/solana/tx, gzipped)

Hashes are of the files as taken, before gzip.

${txRows.join('\n')}

## Events (test/data/solana/events)

event-vectors.jsonl (81 events) and log-sequences-2026H2.jsonl (8 transactions): bytes as logs carry them, and the fields that the
programs' IDL of 2026-09 names in them.

${accounts}
## Slot statuses (test/data/solana/stream)

slots.bin.gz: the 295 messages about slots 398202741 to 398202820 of a recorded gRPC stream, rpcpool/yellowstone-vixen
crates/block-coordinator/tests/fixtures/sample.bin (MIT); each has its length before it.
`
}

const blocks = taken('blocks')
const txs = taken('tx')
const entries: Entry[] = JSON.parse(readFileSync(join(source, 'tx/manifest.json'), 'utf8'))
const mints = launchedMints(txs)
const ofLaunches = txs.filter((tx) => isPlaced(tx) && mintsOf([tx], () => true).some((mint) => mints.has(mint)))
const blocksOf = (files: readonly Taken[]): SourceBlock[] => files.flatMap(({ file }) => file.blocks)

const rows = [
  await record('blocks.avro', blocksOf(blocks.filter(({ name }) => !name.includes('converted'))), false),
  await record('transactions.avro', blocksOf(txs), false),
  await record('launches.avro', blocksOf(ofLaunches), true),
]
copy('blocks', blocks)
copy('tx', txs)
for (const name of ['event-vectors.jsonl', 'log-sequences-2026H2.jsonl']) copyEvents(name)
copyCorpus(source, DATA)
copySlots(join(source, 'stream/yellowstone-slots-398202773-398202820.bin.gz'))
const facts = entries.map(({ file, signature, slot, blockTime, version, encoding, events }) => ({
  file: basename(file),
  signature,
  slot,
  blockTime,
  version,
  encoding,
  events: events.map(({ program, name, body_len_with_disc }) => ({ program, name, bytes: body_len_with_disc })),
}))
writeFileSync(join(DATA, 'manifest.json'), `${JSON.stringify(facts, null, 1)}\n`)
writeFileSync(join(HERE, 'PROVENANCE.md'), provenance(rows, blocks, txs, entries, copyAccounts(source, DATA)))
