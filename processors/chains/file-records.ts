// Finds the records of a text file: JSON values, one or many, in lists and in the envelopes that nodes and clients put around them.
import { bad, good, type Parsed } from '../../schemas/errors.ts'
import { escapeHidden } from '../text.ts'
import { has, isJsonRecord, type JsonRecord } from './json-record.ts'

/** Maximum characters of one of several values: three times the largest block as jsonParsed. */
const VALUE_CHARACTERS_MAX = 64 * 1024 * 1024
/** Maximum number of values that are no records: a file with more is refused. */
const PROBLEMS_MAX = 100_000
/** Maximum depth of lists and envelopes around a record. */
const DEPTH_MAX = 16
const QUOTED_CHARACTERS_MAX = 300

type ParseJson = (text: string) => unknown

const parseWith = (parse: ParseJson, text: string): Parsed<unknown> => {
  if (text.length > VALUE_CHARACTERS_MAX)
    return bad('bad_encoding', `${text.length} characters in one value, at most ${VALUE_CHARACTERS_MAX} are read`)
  try {
    return good(parse(text))
  } catch (cause) {
    const { message } = cause as Error
    return bad(
      'bad_encoding',
      `not JSON (${/end of JSON/.test(message) ? 'it ends too early' : (/position \d+/.exec(message)?.[0] ?? 'position 0')})`,
    )
  }
}

/** The values of a text that is not one JSON value. A value of several lines begins and ends with a bracket in the first column. */
function* linesOf(text: string): Generator<{ readonly line: number; readonly text: string }> {
  let open: { readonly line: number; readonly at: number } | undefined
  for (let [at, end, line] = [0, 0, 1]; at < text.length; at = end + 1, line++) {
    end = text.indexOf('\n', at)
    if (end < 0) end = text.length
    const isClosing = '}]'.includes(text.charAt(at))
    if (open === undefined && end - at <= 2 && /^[{[]\s*$/.test(text.slice(at, end))) open = { line, at }
    else if (open === undefined || isClosing) {
      yield { line: open?.line ?? line, text: text.slice(open?.at ?? at, end) }
      open = undefined
    }
  }
  if (open !== undefined) yield { line: open.line, text: text.slice(open.at) }
}

/** Fields in which nodes, clients and streams put records. */
const WRAPPERS = ['result', 'params', 'value', 'block', 'data', 'transaction'] as const
const FULL = 'ask for it with transactionDetails "full"'
/** Answers of nodes that are no records, by their fields, and what would work. */
const KNOWN: readonly (readonly [fields: readonly string[], what: string])[] = [
  [['blockhash'], `a block without its transactions, as with transactionDetails "signatures" or "none": ${FULL}`],
  [['signature', 'logs'], 'a notification of logsSubscribe has no accounts: fetch its transaction with getTransaction'],
  [['signatures', 'message'], 'a transaction without its result (meta): fetch it with getTransaction'],
  [['signature', 'slot', 'memo'], `a signature without its transaction: fetch it with getTransaction, or ${FULL}`],
  [['hash', 'nonce', 'from'], 'a transaction without its logs: fetch its receipt with eth_getTransactionReceipt'],
  [['parentHash', 'number'], 'a header without its transactions: fetch the block with eth_getBlockByNumber, and its receipts'],
]
const WANTED = 'not a transaction, block, log or receipt of a node'

const quoted = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return escapeHidden(text.length > QUOTED_CHARACTERS_MAX ? `${text.slice(0, QUOTED_CHARACTERS_MAX)}...` : text)
}

const isError = (json: JsonRecord): boolean => (json.error ?? null) !== null && (json.result ?? null) === null

const problemOf = (json: unknown): string => {
  if (json === null) return 'the node returned null: it does not have this transaction or block (any more); ask another node'
  if (Array.isArray(json)) return `a list of ${json.length} plain values, as of getBlocks: fetch each block or transaction`
  if (!isJsonRecord(json)) return `the value ${quoted(json)} is ${WANTED}`
  if (isError(json)) {
    const { code = '', message = json.error } = isJsonRecord(json.error) ? json.error : {}
    return `the node returned an error: ${`${quoted(code)} ${quoted(message)}`.trim().replace(/\.$/, '')}`
  }
  const known = KNOWN.find(([fields]) => has(json, ...fields))
  return known?.[1] ?? `an object with the fields ${quoted(Object.keys(json).join(', '))} is ${WANTED}`
}

/** Takes one record; false if it is none of the chain. `around` has the fields of the objects around it, the innermost's first. */
export type TakeRecord = (json: JsonRecord, around: JsonRecord) => boolean

export interface FoundRecords {
  /** Number of records that were taken. */
  readonly found: number
  /** Number of empty lists. */
  readonly empty: number
  /** Values that are no records: what they are instead, where, and what would work. */
  readonly problems: readonly string[]
}

class Finder implements FoundRecords {
  readonly problems: string[] = []
  found = 0
  empty = 0
  readonly #take: TakeRecord

  constructor(take: TakeRecord) {
    this.#take = take
  }
  problem(place: readonly string[], reason: string): void {
    if (this.problems.length <= PROBLEMS_MAX) this.problems.push([...place, reason].join(': '))
  }
  find(json: unknown, place: readonly string[], around: JsonRecord = {}, depth = 0): void {
    if (Array.isArray(json) && json.some((item) => typeof item === 'object') && depth < DEPTH_MAX)
      for (const [index, item] of json.entries()) this.find(item, [...place, `index ${index}`], around, depth + 1)
    else if (Array.isArray(json) && json.length === 0) this.empty++
    else if (isJsonRecord(json) && this.#take(json, around)) this.found++
    else {
      const inner =
        isJsonRecord(json) && !isError(json)
          ? WRAPPERS.find((name) => typeof json[name] === 'object' || (name === 'result' && name in json))
          : undefined
      if (inner === undefined || depth >= DEPTH_MAX) this.problem(place, problemOf(json))
      else this.find((json as JsonRecord)[inner], place, { ...around, ...(json as JsonRecord) }, depth + 1)
    }
  }
}

/** Finds the records of a text, in order. Bad data (bad_encoding), with the first value that is none, where a chain has none at all. */
export const findRecords = (text: string, name: string, parse: ParseJson, take: TakeRecord): Parsed<FoundRecords> => {
  const finder = new Finder(take)
  const refused = (reason: string): Parsed<FoundRecords> =>
    bad('bad_encoding', `${name} has no chain data that mintfold can read: ${reason}`)
  let whole: unknown
  try {
    whole = parse(text)
  } catch {
    for (const { line, text: value } of linesOf(text)) {
      const json = value.trim() === '' ? undefined : parseWith(parse, value)
      if (json?.ok) finder.find(json.value, [`line ${line}`])
      else if (json !== undefined) finder.problem([`line ${line}`], json.reason)
    }
  }
  if (whole !== undefined) finder.find(whole, [])
  const { found, empty, problems } = finder
  if (problems.length > PROBLEMS_MAX) return refused(`more than ${PROBLEMS_MAX} values are no records; the first: ${problems[0]}`)
  if (found + empty > 0) return good(finder)
  return refused((problems[0] ?? 'it is empty') + (problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''))
}
