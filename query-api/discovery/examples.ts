// Example answers of each question for documents, recorded from a simulated market (`npm run documents`; a test compares the file).
import { readFileSync } from 'node:fs'
import { PUBLISHED } from '../answer-schemas/published-chain.ts'
import type { Shown } from './shown.ts'

type Json = Readonly<Record<string, unknown>>
type Examples = Readonly<Record<string, Json>>

/** The address of the recorded server; each server replaces it with its own. */
const MADE_AT = 'http://127.0.0.1:8402'
/** Links that return an answer only for a mint with full coverage. */
const CHECKS = /(\/v1\/check\/(?:mint\/|\w+\?mints=))[1-9A-HJ-NP-Za-km-z,]{32,}/g
/** Links to a finding. */
const EVIDENCE = new RegExp(`(/v1/evidence/)${PUBLISHED.chain}:[^"]+`, 'g')
/** Links to the proof of a logged probability. */
const PROOFS = new RegExp(`(/v1/odds/proof\\?id=)${PUBLISHED.chain}:[^"]+`, 'g')
const OUTCOMES = '/v1/outcomes/{mint}'
/** Links with a cursor of the recorded server, which this server did not sign. */
const SINCE = /(\/v1\/launches\/since\?since=)[\w-]{60,}/g
/** Links to the record of a mint. */
const RECORDS = /(\/token\/)[1-9A-HJ-NP-Za-km-z]{32,44}/g
const text = readFileSync(new URL('./examples.json', import.meta.url), 'utf8')
const made = new WeakMap<Shown, Examples>()

/** The examples with links that return answers on this server. */
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

/** Removes the odds, for servers that have logged none. */
const withoutOdds = (examples: Examples): Examples => {
  const outcomes = examples[OUTCOMES]
  return isObject(outcomes?.data) ? { ...examples, [OUTCOMES]: { ...outcomes, data: { ...outcomes.data, odds: [] } } } : examples
}

/** The full example answer of a question; undefined if there is none. */
export const exampleOf = (path: string, shown: Shown): Json | undefined => examplesOf(shown)[path]

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
