// Checks the default export of a detector file.

import type { Of } from '../../../processors/detector-kit/fields.ts'
import { messageOf, UsageError } from '../../../schemas/errors.ts'

/** A valid definition. Its functions belong to the realm in which the detector file was evaluated. */
export interface Definition {
  readonly of: Of
  readonly id: string
  readonly version: number
  readonly flag: string
  readonly firesWhen: string
  readonly settings: Readonly<Record<string, number>>
  readonly notJudged: ((...views: readonly unknown[]) => unknown) | undefined
  readonly find: (rows: object, settings: Readonly<Record<string, number>>) => unknown
}

const SETTINGS_MAX = 16
const WORDS_MAX = 400
const KNOWN: readonly string[] = ['of', 'id', 'version', 'flag', 'firesWhen', 'settings', 'notJudged', 'find']
const SETTING = /^[a-zA-Z][a-zA-Z0-9_]{0,39}$/

/** A wrong part of the definition; the message states what is right. */
class Wrong extends Error {
  readonly part: string
  constructor(part: string, right: string) {
    super(right)
    this.part = part
  }
}

type Parts = Readonly<Record<string, unknown>>

const text = (parts: Parts, part: string, form: RegExp, right: string): string => {
  const value = parts[part]
  if (typeof value !== 'string' || !form.test(value)) throw new Wrong(part, `${part} must be ${right}, not ${shown(value)}`)
  return value
}

const shown = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : String(value).slice(0, 60))

const settingsIn = (value: unknown): Readonly<Record<string, number>> => {
  if (value === undefined) return {}
  if (typeof value !== 'object' || value === null)
    throw new Wrong('settings', 'settings must be an object of numbers, such as { percent: 50 }')
  const all = Object.entries(value)
  if (all.length > SETTINGS_MAX)
    throw new Wrong(
      'settings',
      `settings has ${all.length} numbers, at most ${SETTINGS_MAX} are allowed: the more values are tried, the less a good result means`,
    )
  for (const [name, one] of all) {
    if (!SETTING.test(name))
      throw new Wrong(
        'settings',
        `the name of a setting must be a letter, then letters, digits and _, at most 40 characters, not ${shown(name)}`,
      )
    if (typeof one !== 'number' || !Number.isFinite(one))
      throw new Wrong(name, `the setting ${name} must be a finite number, not ${shown(one)}`)
  }
  return Object.fromEntries(all)
}

const functionIn = (parts: Parts, part: string): ((...given: readonly unknown[]) => unknown) => {
  const value = parts[part]
  if (typeof value !== 'function') throw new Wrong(part, `${part} must be a function, not ${shown(value)}`)
  return value as (...given: readonly unknown[]) => unknown
}

const read = (exported: unknown): Definition => {
  if (exported === undefined) throw new Wrong('', 'exports nothing by default: write `export default mintDetector({ ... })`')
  const parts = (typeof exported === 'object' && exported !== null ? exported : {}) as Parts
  const { of, version } = parts
  if (of !== 'mint' && of !== 'curve')
    throw new Wrong('', 'its default export is not a detector: write `export default mintDetector({ ... })`, or curveDetector')
  const unknown = Object.keys(parts).find((part) => !KNOWN.includes(part))
  if (unknown !== undefined)
    throw new Wrong(unknown, `a detector has no field ${shown(unknown)}; its fields are ${KNOWN.slice(1).join(', ')}`)
  if (!Number.isInteger(version) || Number(version) < 1 || Number(version) > 1_000_000)
    throw new Wrong('version', `version must be a whole number from 1 to 1000000, not ${shown(version)}`)
  return {
    of,
    id: text(parts, 'id', /^[a-z][a-z0-9_-]{0,39}$/, 'a letter, then letters, digits, - and _, in lower case, at most 40 characters'),
    version: Number(version),
    flag: text(parts, 'flag', /^[a-z][a-z0-9_]{0,39}$/, 'a letter, then letters, digits and _, in lower case, at most 40 characters'),
    firesWhen: text(parts, 'firesWhen', new RegExp(`^\\S[^\\0-\\x1f]{0,${WORDS_MAX - 1}}$`), `1 to ${WORDS_MAX} characters on one line`),
    settings: settingsIn(parts.settings),
    notJudged: parts.notJudged === undefined ? undefined : functionIn(parts, 'notJudged'),
    find: functionIn(parts, 'find') as Definition['find'],
  }
}

/** The line of a part in a file's text, from 1; 1 if it is not found. */
const lineOf = (source: string, part: string): number => {
  const at = part === '' ? -1 : source.search(new RegExp(`(?<![\\w$.])['"]?${part.replace(/[^\w]/g, '\\$&')}['"]?\\s*[:,(}]`))
  return at < 0 ? 1 : source.slice(0, at).split('\n').length
}

/** @throws UsageError with file, line and the correct form. `source`: the text of the file. */
export const definitionOf = (exported: unknown, path: string, source: string): Definition => {
  try {
    return read(exported)
  } catch (failure) {
    if (failure instanceof Wrong) throw new UsageError(`${path}:${lineOf(source, failure.part)}: ${messageOf(failure)}`)
    throw failure
  }
}
