// Parses a file of recorded chain data: logs, receipts and blocks of an Ethereum node, of its clients or of a block explorer.
import { type BadData, bad, good, type Parsed } from '../../../schemas/errors.ts'
import type { RecordedFile } from '../chain.ts'
import { textOf, unpack } from '../file-bytes.ts'
import { findRecords } from '../file-records.ts'
import { has, type JsonRecord } from '../json-record.ts'
import { type AltFileBlock, BlockParts } from './file-blocks.ts'
import { parseBlock, parseLog, parseReceipt, type RpcLog } from './rpc-json.ts'

export interface AltFile extends RecordedFile {
  readonly blocks: readonly AltFileBlock[]
  readonly events: readonly never[]
}

/** Collects a file's records by block, that is by number and hash. */
class BlockCollector {
  readonly #blocks = new Map<string, BlockParts>()

  of(number: number | null, hash: string): BlockParts {
    const key = `${number} ${hash}`
    const block = this.#blocks.get(key) ?? new BlockParts(number, hash)
    this.#blocks.set(key, block)
    return block
  }
  log(read: Parsed<RpcLog>): void {
    if (read.ok) this.of(read.value.number, read.value.blockHash).log(read.value)
    else this.error(read)
  }
  receipt(json: unknown): void {
    const read = parseReceipt(json)
    if (read.ok) this.of(read.value.number, read.value.blockHash).receipt(read.value)
    else this.error(read)
  }
  block(json: unknown): void {
    const read = parseBlock(json)
    if (read.ok) this.of(read.value.number, read.value.hash).header(read.value)
    else this.error(read)
  }
  error({ code, reason }: BadData): void {
    this.of(null, '').errors.push({ index: null, code, reason })
  }
  blocks(): AltFileBlock[] {
    const blocks = [...this.#blocks.values()].map((parts) => parts.block())
    return blocks.sort((a, b) => (a.number ?? Number.POSITIVE_INFINITY) - (b.number ?? Number.POSITIVE_INFINITY))
  }
}

/** Adds one record; false where it is of no known kind. Logs and receipts of ethers name their fields otherwise. */
const addRecord = (json: JsonRecord, into: BlockCollector): boolean => {
  if (has(json, 'topics', 'data')) into.log(parseLog(json))
  else if (has(json, 'logs') && (has(json, 'transactionHash') || has(json, 'hash', 'index'))) into.receipt(json)
  else if (has(json, 'number', 'hash', 'parentHash', 'transactions')) into.block(json)
  else return false
  return true
}

/** Parses a file's bytes; `name` is used in reasons. Bad data (bad_encoding) for a file of another kind. */
export const parseFile = (bytes: Buffer, name: string): Parsed<AltFile> => {
  const unpacked = unpack(bytes, name)
  if (!unpacked.ok) return unpacked
  const collector = new BlockCollector()
  const records = findRecords(textOf(unpacked.value), name, JSON.parse, (json) => addRecord(json, collector))
  if (!records.ok) return records
  for (const reason of records.value.problems) collector.error(bad('bad_encoding', reason))
  return good({ blocks: collector.blocks(), events: [], notes: [] })
}
