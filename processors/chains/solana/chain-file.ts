// Parses a file of recorded chain data, detecting its kind: RPC answers, a stored block, or single events. Gzip or plain.
import * as z from 'zod'
import { bad, good, type Parsed } from '../../../schemas/errors.ts'
import { parseValues, unpack } from '../file-bytes.ts'
import { parseConfirmedBlock } from './encodings/confirmed-block.ts'
import { parseRpcAnswer } from './encodings/rpc-json.ts'
import type { ProgramName } from './programs.ts'
import type { SourceBlock } from './source-transaction.ts'

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
const sequence = z.object({ events: z.array(looseEvent).min(1), slot: z.int().min(0).nullish(), signature: z.string().nullish() })

const looseEventsOf = (json: unknown): LooseEvent[] | undefined => {
  const one = looseEvent.safeParse(json)
  if (one.success) return [{ program: one.data.program, bytes: Buffer.from(one.data.data_base64, 'base64'), slot: null, signature: null }]
  const several = sequence.safeParse(json)
  if (!several.success) return undefined
  const { events, slot, signature } = several.data
  return events.map((event) => ({
    program: event.program,
    bytes: Buffer.from(event.data_base64, 'base64'),
    slot: slot ?? null,
    signature: signature ?? null,
  }))
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

const fromText = (text: string): { readonly blocks: SourceBlock[]; readonly events: LooseEvent[] } | undefined => {
  const values = parseValues(text, parseExact)
  if (values === undefined) return undefined
  const blocks: SourceBlock[] = []
  const events: LooseEvent[] = []
  for (const value of values) {
    const block = parseRpcAnswer(value)
    const found = block === undefined ? looseEventsOf(value) : undefined
    if (block) blocks.push(block)
    else if (found) events.push(...found)
    else return undefined
  }
  return { blocks, events }
}

/** Parses a file's bytes; `name`: for the slot and for error messages. Bad data (bad_encoding) for a file of another kind. */
export const parseChainFile = (bytes: Buffer, name: string): Parsed<ChainFile> => {
  const unpacked = unpack(bytes, name)
  if (!unpacked.ok) return unpacked
  const isText = /^\s*[{[]/.test(unpacked.value.toString('latin1', 0, 64))
  const block = isText ? undefined : parseConfirmedBlock(unpacked.value)
  const contents = block ? { blocks: [block], events: [] } : isText ? fromText(unpacked.value.toString('utf8')) : undefined
  if (contents === undefined) return bad('bad_encoding', `${name} holds no RPC answer, stored block or event lines`)
  const placed = contents.blocks.map((each) => withSlot(each, name))
  return good({ events: contents.events, blocks: placed.map((each) => each.block), notes: placed.flatMap(({ note }) => note ?? []) })
}
