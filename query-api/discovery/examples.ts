// Real answers of each question over a made-up market, for documents that show what is sold. A script makes the file, a test compares it.
import { readFileSync } from 'node:fs'
import { PUBLISHED } from '../answer-schemas/published-chain.ts'
import type { Shown } from './shown.ts'

type Json = Readonly<Record<string, unknown>>
type Examples = Readonly<Record<string, Json>>

/** The public address of the server that gave them; documents name their own. */
const MADE_AT = 'http://127.0.0.1:8402'
/** Links that only a mint with full coverage answers. */
const CHECKS = /(\/v1\/check\/(?:mint\/|\w+\?mints=))[1-9A-HJ-NP-Za-km-z,]{32,}/g
/** Links to a finding. */
const EVIDENCE = new RegExp(`(/v1/evidence/)${PUBLISHED.chain}:[^"]+`, 'g')
/** Links to the proof of a logged probability. */
const PROOFS = new RegExp(`(/v1/odds/proof\\?id=)${PUBLISHED.chain}:[^"]+`, 'g')
const OUTCOMES = '/v1/outcomes/{mint}'
/** Links with a cursor that this server did not sign. */
const SINCE = /(\/v1\/launches\/since\?since=)[\w-]{60,}/g
/** Links to the record of a mint. */
const RECORDS = /(\/token\/)[1-9A-HJ-NP-Za-km-z]{32,44}/g
const text = readFileSync(new URL('./examples.json', import.meta.url), 'utf8')
const made = new WeakMap<Shown, Examples>()

/** With links that are answered. */
const examplesOf = (shown: Shown): Examples => {
  const known = made.get(shown)
  if (known !== undefined) return known
  const moved = text.replaceAll(MADE_AT, shown.baseUrl).replaceAll(SINCE, '$10')
  const named = moved.replaceAll(CHECKS, `$1${shown.mint}`).replaceAll(RECORDS, `$1${shown.mint}`)
  const found = shown.finding_id === null ? named : named.replaceAll(EVIDENCE, `$1${shown.finding_id}`)
  const { odds_id } = shown
  const examples = odds_id === null ? withoutOdds(JSON.parse(found)) : JSON.parse(found.replaceAll(PROOFS, `$1${odds_id}`))
  made.set(shown, examples)
  return examples
}

/** Where no probability was logged, none is shown. */
const withoutOdds = (examples: Examples): Examples => {
  const outcomes = examples[OUTCOMES]
  return isObject(outcomes?.data) ? { ...examples, [OUTCOMES]: { ...outcomes, data: { ...outcomes.data, odds: [] } } } : examples
}

/** The whole answer to a question; undefined where none is kept. */
export const exampleOf = (path: string, shown: Shown): Json | undefined => examplesOf(shown)[path]

/** Parts of holders that an answer may leave out. */
const OPTIONAL: ReadonlySet<string> = new Set(['n_insider_wallets', 'insiders', 'entities'])

/** The same cut to what fits into a header, and still an answer: the first item of a list, without what may be left out. */
export const shortExampleOf = (path: string, shown: Shown): Json => {
  const { data, ...envelope } = exampleOf(path, shown) ?? {}
  if (!isObject(data)) return envelope
  const { items, count } = data
  if (count === undefined || !Array.isArray(items)) return { ...envelope, data: shortOf(data) }
  return { ...envelope, data: { ...data, count: 1, items: items.slice(0, 1).map((item) => (isObject(item) ? shortOf(item) : item)) } }
}

/** The card of a curve is as long as a header takes without what was found of it. */
const shortOf = (part: Json): Json =>
  typeof part.curve === 'string' && Array.isArray(part.findings) ? { ...part, findings: [] } : withoutOptional(part)

const withoutOptional = (part: Json): Json =>
  isObject(part.holders)
    ? { ...part, holders: Object.fromEntries(Object.entries(part.holders).filter(([name]) => !OPTIONAL.has(name))) }
    : part

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
