// Real answers of each question over a made-up market, for documents that show what is sold. A script makes the file, a test compares it.
import { readFileSync } from 'node:fs'

type Json = Readonly<Record<string, unknown>>
type Examples = Readonly<Record<string, Json>>

/** The public address of the server that gave them; documents name their own. */
const MADE_AT = 'http://127.0.0.1:8402'
const text = readFileSync(new URL('./examples.json', import.meta.url), 'utf8')
const byBaseUrl = new Map<string, Examples>()

const examplesAt = (baseUrl: string): Examples => {
  const known = byBaseUrl.get(baseUrl)
  if (known !== undefined) return known
  const made = JSON.parse(text.replaceAll(MADE_AT, baseUrl)) as Examples
  byBaseUrl.set(baseUrl, made)
  return made
}

/** The whole answer to a question; undefined where none is kept. */
export const exampleOf = (path: string, baseUrl: string): Json | undefined => examplesAt(baseUrl)[path]

/** Parts of holders that an answer may leave out. */
const OPTIONAL: ReadonlySet<string> = new Set(['n_insider_wallets', 'insiders', 'entities'])

/** The same cut to what fits into a header, and still an answer: the first item of a list, without what may be left out. */
export const shortExampleOf = (path: string, baseUrl: string): Json => {
  const { data, ...envelope } = exampleOf(path, baseUrl) ?? {}
  if (!isObject(data)) return envelope
  const { items, count } = data
  if (count === undefined || !Array.isArray(items)) return { ...envelope, data: shortOf(data) }
  return { ...envelope, data: { ...data, count: 1, items: items.slice(0, 1).map((item) => (isObject(item) ? shortOf(item) : item)) } }
}

const shortOf = (part: Json): Json =>
  isObject(part.holders)
    ? { ...part, holders: Object.fromEntries(Object.entries(part.holders).filter(([name]) => !OPTIONAL.has(name))) }
    : part

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
