// Parses a file of recorded chain data: eth_getLogs answers, receipts and blocks, single or in lists, with or without their JSON-RPC
// envelope.
import { bad, good, type Parsed } from '../../../schemas/errors.ts'
import type { RecordedFile } from '../chain.ts'
import { parseValues, unpack } from '../file-bytes.ts'
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
    else this.#addError(read)
  }
  receipt(json: unknown): void {
    const read = parseReceipt(json)
    if (read.ok) this.of(read.value.number, read.value.blockHash).receipt(read.value)
    else this.#addError(read)
  }
  block(json: unknown): void {
    const read = parseBlock(json)
    if (read.ok) this.of(read.value.number, read.value.hash).header(read.value)
    else this.#addError(read)
  }
  #addError({ code, reason }: Extract<Parsed<never>, { readonly ok: false }>): void {
    this.of(null, '').errors.push({ index: null, code, reason })
  }
  blocks(): AltFileBlock[] {
    const blocks = [...this.#blocks.values()].map((parts) => parts.block())
    return blocks.sort((a, b) => (a.number ?? Number.POSITIVE_INFINITY) - (b.number ?? Number.POSITIVE_INFINITY))
  }
}

const has = (json: object, ...names: readonly string[]): boolean => names.every((name) => name in json)

/** Adds one JSON value; false where it is of no known kind. */
const addValue = (json: unknown, into: BlockCollector): boolean => {
  if (json === null || typeof json !== 'object') return false
  if (Array.isArray(json)) return json.every((item) => addValue(item, into))
  if ('result' in json) return addValue(json.result, into)
  if (has(json, 'topics', 'data')) into.log(parseLog(json))
  else if (has(json, 'transactionHash', 'logs')) into.receipt(json)
  else if (has(json, 'number', 'hash', 'parentHash', 'transactions')) into.block(json)
  else return false
  return true
}

/** Parses a file's bytes; `name` is used in reasons. Bad data (bad_encoding) for a file of another kind. */
export const parseFile = (bytes: Buffer, name: string): Parsed<AltFile> => {
  const unpacked = unpack(bytes, name)
  if (!unpacked.ok) return unpacked
  const isText = /^\s*[{[]/.test(unpacked.value.toString('latin1', 0, 64))
  const values = isText ? parseValues(unpacked.value.toString('utf8'), JSON.parse) : undefined
  const collector = new BlockCollector()
  if (values === undefined || !values.every((value) => addValue(value, collector)))
    return bad('bad_encoding', `${name} holds no logs, receipts or blocks of an Ethereum node`)
  return good({ blocks: collector.blocks(), events: [], notes: [] })
}
