// The values of one row: each is read strictly, and a wrong one is named with what would be right.
import { escapeHidden } from '../../../../processors/text.ts'

export const COLUMNS = ['mint', 'label', 'probability', 'time'] as const
export type Column = (typeof COLUMNS)[number]

/** A value, or what is wrong with it. */
export type Read<Value> = { readonly value: Value } | { readonly wrong: string }

const MINT_CHARS_MAX = 128
const SHOWN_CHARS_MAX = 60
/** Before the first block of any chain, and far away: what lies outside is another unit, or a value that was cut. */
const [TIME_MIN_MS, TIME_MAX_MS] = [Date.UTC(2009, 0, 3), Date.UTC(2100, 0, 1)]

/** Text of a file for a terminal: cut, in quotes, and with what cannot be seen escaped. */
export const shown = (text: string): string => {
  const cut = text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}...` : text
  return `'${escapeHidden(cut)}'`
}

export const readMint = (text: string): Read<string> => {
  if (text === '') return { wrong: 'is empty: it must name a mint' }
  return text.length > MINT_CHARS_MAX
    ? { wrong: `has ${text.length} characters, and must have at most ${MINT_CHARS_MAX}` }
    : { value: text }
}

const LABELS: ReadonlyMap<string, 0 | 1> = new Map([
  ['0', 0],
  ['1', 1],
  ['false', 0],
  ['true', 1],
])
export const readLabel = (text: string): Read<0 | 1> => {
  const value = LABELS.get(text.toLowerCase())
  return value === undefined ? { wrong: `is ${shown(text)}, and must be 0, 1, false or true` } : { value }
}

const DECIMAL = /^\+?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
export const readProbability = (text: string): Read<number> => {
  const value = DECIMAL.test(text) ? Number(text) : Number.NaN
  return value >= 0 && value <= 1 ? { value } : { wrong: `is ${shown(text)}, and must be a number from 0 to 1` }
}

const UNIX = /^\d+(?:\.\d+)?$/
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?:(Z)|([+-]\d\d):?(\d\d))?)?$/i
/** Milliseconds; without an offset UTC. */
export const readTime = (text: string): Read<number> => {
  const ms = UNIX.test(text) ? Math.round(Number(text) * 1_000) : isoMs(text)
  if (ms >= TIME_MIN_MS && ms < TIME_MAX_MS) return { value: ms }
  const isOutside = UNIX.test(text) ? ', in seconds (not milliseconds)' : ''
  return { wrong: `is ${shown(text)}, and must be unix seconds or a date such as 2026-10-15T12:00:00Z, from 2009 to 2099${isOutside}` }
}

/** NaN for what is no date, February 30 included. */
const isoMs = (text: string): number => {
  const [, date, time = '00:00', , hours, minutes] = ISO.exec(text) ?? []
  if (date === undefined) return Number.NaN
  const day = Date.parse(`${date}T00:00Z`)
  if (Number.isNaN(day) || new Date(day).toISOString().slice(0, date.length) !== date) return Number.NaN
  return Date.parse(`${date}T${time}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`)
}
