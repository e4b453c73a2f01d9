// Strict parsers for the values of a row; an error says which values are valid.
import { escapeHidden } from '../../../../processors/text.ts'

export const COLUMNS = ['mint', 'label', 'probability', 'time'] as const
export type Column = (typeof COLUMNS)[number]

/** A value, or the reason why it is invalid. */
export type Read<Value> = { readonly value: Value } | { readonly wrong: string }

const MINT_CHARS_MAX = 128
const SHOWN_CHARS_MAX = 60
/** From before the first block of any chain to the far future: a time outside is in another unit or truncated. */
const [TIME_MIN_MS, TIME_MAX_MS] = [Date.UTC(2009, 0, 3), Date.UTC(2100, 0, 1)]

/** Text from a file, for a terminal: shortened, quoted, with invisible characters escaped. */
export const shown = (text: string): string => {
  const cut = text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}...` : text
  return `'${escapeHidden(cut)}'`
}

export const readMint = (text: string): Read<string> => {
  if (text === '') return { wrong: 'is empty: it must be a mint' }
  return text.length > MINT_CHARS_MAX ? { wrong: `has ${text.length} characters; it must have at most ${MINT_CHARS_MAX}` } : { value: text }
}

const LABELS: ReadonlyMap<string, 0 | 1> = new Map([
  ['0', 0],
  ['1', 1],
  ['false', 0],
  ['true', 1],
])
export const readLabel = (text: string): Read<0 | 1> => {
  const value = LABELS.get(text.toLowerCase())
  return value === undefined ? { wrong: `is ${shown(text)}, but must be 0, 1, false or true` } : { value }
}

const DECIMAL = /^\+?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
export const readProbability = (text: string): Read<number> => {
  const value = DECIMAL.test(text) ? Number(text) : Number.NaN
  return value >= 0 && value <= 1 ? { value } : { wrong: `is ${shown(text)}, but must be a number from 0 to 1` }
}

const UNIX = /^\d+(?:\.\d+)?$/
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?:(Z)|([+-]\d\d):?(\d\d))?)?$/i
/** Milliseconds; UTC if it has no offset. */
export const readTime = (text: string): Read<number> => {
  const ms = UNIX.test(text) ? Math.round(Number(text) * 1_000) : isoMs(text)
  if (ms >= TIME_MIN_MS && ms < TIME_MAX_MS) return { value: ms }
  const isOutside = UNIX.test(text) ? ', in seconds (not milliseconds)' : ''
  return { wrong: `is ${shown(text)}, but must be unix seconds or a date such as 2026-10-15T12:00:00Z, from 2009 to 2099${isOutside}` }
}

/** NaN if it is not a date; February 30 is not. */
const isoMs = (text: string): number => {
  const [, date, time = '00:00', , hours, minutes] = ISO.exec(text) ?? []
  if (date === undefined) return Number.NaN
  const day = Date.parse(`${date}T00:00Z`)
  if (Number.isNaN(day) || new Date(day).toISOString().slice(0, date.length) !== date) return Number.NaN
  return Date.parse(`${date}T${time}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`)
}
