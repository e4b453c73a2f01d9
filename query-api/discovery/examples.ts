// Real answers of each question over a made-up market, for documents that show what is sold. A script makes the file, a test compares it.
import { readFileSync } from 'node:fs'

type Json = Readonly<Record<string, unknown>>

const answers = JSON.parse(readFileSync(new URL('./examples.json', import.meta.url), 'utf8')) as Readonly<Record<string, Json>>

/** The whole answer to a question; undefined where none is kept. */
export const exampleOf = (path: string): Json | undefined => answers[path]

/** The same cut to what fits into a header: plain fields, and the first item of each list without its blocks. */
export const shortExampleOf = (path: string): Json => {
  const { ok, schema_version, coverage, data } = exampleOf(path) ?? {}
  return { ok, schema_version, coverage, data: isObject(data) ? shortOf(data) : {} }
}

const shortOf = (object: Json): Json =>
  Object.fromEntries(
    Object.entries(object).flatMap(([name, value]): [string, unknown][] => {
      if (name === 'items' && Array.isArray(value))
        return [[name, value.slice(0, 1).map((item) => (isObject(item) ? plainOf(item) : item))]]
      return isPlain(value) && !name.endsWith('_reason') ? [[name, value]] : []
    }),
  )

const plainOf = (object: Json): Json =>
  Object.fromEntries(Object.entries(object).filter(([name, value]) => isPlain(value) && !name.endsWith('_reason')))

const isPlain = (value: unknown): boolean => value === null || typeof value !== 'object'
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
