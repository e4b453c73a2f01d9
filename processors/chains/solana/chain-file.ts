// Parses a file of recorded chain data, detecting its kind: RPC answers and notifications, a stored block, or single events.
import * as z from 'zod'
import { bad, good, type Parsed } from '../../../schemas/errors.ts'
import { textOf, unpack } from '../file-bytes.ts'
import { findRecords } from '../file-records.ts'
import { issueOf } from '../issue.ts'
import { has, isJsonRecord, type JsonRecord } from '../json-record.ts'
import { parseConfirmedBlock } from './encodings/confirmed-block.ts'
import { parseRpcRecord } from './encodings/rpc-json.ts'
import type { ProgramName } from './programs.ts'
import { type SourceBlock, unreadBlock } from './source-transaction.ts'

/** An event whose transaction is not known: for example, bytes copied from a log. */
export interface LooseEvent {
  readonly program: ProgramName
  readonly bytes: Buffer
  /** Null where the file does not state it. */
  readonly slot: number | null
  readonly signature: string | null
}

export interface ChainFile {
  readonly blocks: readonly SourceBlock[]
  readonly events: readonly LooseEvent[]
  /** Guesses that the parser made, in plain text. */
  readonly notes: readonly string[]
}

/** A number in the file's name is taken as the slot only if it is at most this far above the parent's: longer gaps are unlikely. */
const SKIPPED_SLOTS_MAX = 1000

const program = z.enum(['pump', 'pump_amm'])
const data = z.base64().min(4).max(65_536)
const looseEvent = z.object({ program, data_base64: data })
/** Of one event, or of the events of a transaction. */
const source = z.object({ slot: z.int().min(0).nullish(), signature: z.string().nullish() })

/** Each event of an event line; undefined for other JSON. */
const looseEventsOf = (json: JsonRecord): Parsed<LooseEvent>[] | undefined => {
  const list: readonly unknown[] = Array.isArray(json.events) ? json.events : [json]
  if (list.length === 0 || !list.every((item) => isJsonRecord(item) && has(item, 'data_base64'))) return undefined
  const { slot = null, signature = null } = source.safeParse(list[0] === json ? {} : json).data ?? {}
  return list.map((item) => {
    const event = looseEvent.safeParse(item)
    if (!event.success) return bad('bad_encoding', `event: ${issueOf(event.error, 'the event')}`)
    return good({ program: event.data.program, bytes: Buffer.from(event.data.data_base64, 'base64'), slot, signature })
  })
}

/**
 * A long number in the position of a JSON value. It may also match inside a string: the added quotes then make the JSON invalid, and
 * `parseExact` uses TOKEN instead.
 */
const LARGE = /([[,:]\s*)(\d{16,})(?=\s*[,\]}])/g
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

const quoted = (digits: string): string => (Number.isSafeInteger(Number(digits)) ? digits : `"${digits}"`)

/** Quotes integers beyond 2^53 in JSON, so parsing does not round them (balances, rent epochs). */
export const quoteLargeNumbers = (text: string): string => text.replace(TOKEN, (token) => (/^\d{16,}$/.test(token) ? quoted(token) : token))

/** Digits of the smallest integer beyond 2^53. */
const LONG_DIGITS = 16
const isDigit = (text: string, at: number): boolean => text.charCodeAt(at) >= 0x30 && text.charCodeAt(at) <= 0x39
/** The next non-space character from `at` on: forwards, or backwards where `by` is -1. */
const nextCharacter = (text: string, at: number, by: 1 | -1): string => {
  let index = at
  while (text.charCodeAt(index) <= 0x20) index += by
  return text.charAt(index)
}

/** False for text without integers beyond 2^53, as most blocks (6 MB) are. Each 16th character is enough to find a number that long. */
const mayHoldLarge = (text: string): boolean => {
  for (let at = LONG_DIGITS - 1; at < text.length; at += LONG_DIGITS) {
    if (!isDigit(text, at)) continue
    let [from, to] = [at, at + 1]
    while (isDigit(text, from - 1)) from--
    while (isDigit(text, to)) to++
    const isLarge = to - from >= LONG_DIGITS && !Number.isSafeInteger(Number(text.slice(from, to)))
    if (isLarge && '[,:'.includes(nextCharacter(text, from - 1, -1)) && ',]}'.includes(nextCharacter(text, to, 1))) return true
    at = to - 1
  }
  return false
}

/** Parses JSON with integers beyond 2^53 as strings. @throws SyntaxError for text that is not JSON */
export const parseExact = (text: string): unknown => {
  if (!mayHoldLarge(text)) return JSON.parse(text)
  const replaced = text.replace(LARGE, (_all, before: string, digits: string) => before + quoted(digits))
  if (replaced === text) return JSON.parse(text)
  try {
    return JSON.parse(replaced)
  } catch {
    return JSON.parse(quoteLargeNumbers(text))
  }
}

/**
 * An answer to getBlock does not contain the block's slot. Takes it from the file's name, if a number there can follow the parent's slot,
 * else assumes the slot after the parent.
 */
const withSlot = (block: SourceBlock, name: string): { readonly block: SourceBlock; readonly note: string | undefined } => {
  const { slot, parentSlot, hash } = block
  if (slot !== null || hash === null || parentSlot === null) return { block, note: undefined }
  const named = (name.match(/\d+/g) ?? []).map(Number).find((n) => n > parentSlot && n <= parentSlot + SKIPPED_SLOTS_MAX)
  if (named !== undefined) return { block: { ...block, slot: named }, note: `${name}: slot ${named}, from the file's name` }
  return {
    block: { ...block, slot: parentSlot + 1 },
    note: `${name}: slot ${parentSlot + 1} assumed, the one after the parent; the file does not state it`,
  }
}

type Contents = Pick<ChainFile, 'blocks' | 'events'>

const fromText = (text: string, name: string): Parsed<Contents> => {
  const blocks: SourceBlock[] = []
  const events: LooseEvent[] = []
  const records = findRecords(text, name, parseExact, (json, around) => {
    const block = parseRpcRecord(json, around)
    if (block !== undefined) blocks.push(block)
    const found = block === undefined ? looseEventsOf(json) : []
    for (const event of found ?? [])
      if (event.ok) events.push(event.value)
      else blocks.push(unreadBlock(event.code, [event.reason]))
    return found !== undefined
  })
  if (!records.ok) return records
  if (records.value.found === 0) return bad('bad_encoding', `${name} has only empty lists`)
  return good({ blocks: [...blocks, unreadBlock('bad_encoding', records.value.problems)], events })
}

/** Parses a file's bytes; `name`: for the slot and for error messages. Bad data (bad_encoding) for a file of another kind. */
export const parseChainFile = (bytes: Buffer, name: string): Parsed<ChainFile> => {
  const unpacked = unpack(bytes, name)
  if (!unpacked.ok) return unpacked
  const block = /^\s*[{[]/.test(unpacked.value.toString('latin1', 0, 64)) ? undefined : parseConfirmedBlock(unpacked.value)
  const contents = block ? good<Contents>({ blocks: [block], events: [] }) : fromText(textOf(unpacked.value), name)
  if (!contents.ok) return contents
  const placed = contents.value.blocks.map((each) => withSlot(each, name))
  return good({ events: contents.value.events, blocks: placed.map((each) => each.block), notes: placed.flatMap(({ note }) => note ?? []) })
}
