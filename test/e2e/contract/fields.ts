// Checks the contract's rows about fields, values and bounds against real answers: a field is present, of its type, in its unit and range,
// and null only with a reason.
import { boundRows, type FieldRow, fieldRows, wordsRows } from '../../conformance/field-rows.ts'
import type { Answers } from './answers.ts'
import type { Json } from './demo.ts'
import { broken, held, judged, unobserved, type Verdict } from './verdict.ts'

/** A value with its parent object; undefined if it is absent. */
interface Place {
  readonly value: unknown
  readonly parent: Json
  readonly name: string
  /** Its parent or an ancestor is null or absent, so it cannot be present. */
  readonly isCut: boolean
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const namesOf = (field: string): readonly string[] => field.replaceAll('[]', '.[]').split('.')

/** Every value at a dotted path. */
const placesOf = (value: unknown, names: readonly string[]): readonly Place[] => {
  const [name = '', ...rest] = names
  if (name === '[]')
    return Array.isArray(value)
      ? value.flatMap((item) => (rest.length === 0 ? [{ value: item, parent: {}, name, isCut: false }] : placesOf(item, rest)))
      : []
  if (!isObject(value)) return [{ value: undefined, parent: {}, name, isCut: true }]
  if (rest.length > 0) return placesOf(value[name], rest)
  return [{ value: value[name], parent: value, name, isCut: false }]
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value

const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
const ADDRESSES: ReadonlySet<string> = new Set([
  'mint',
  'creator',
  'wallet',
  'pool',
  'bonding_curve',
  'payTo',
  'asset',
  'mint_authority',
  'token_program',
])
/** Bounds that a value in the wrong unit exceeds: unix seconds of 2020 to 2039, not milliseconds; SOL, not lamports. */
const TIME = { min: 1.6e9, max: 2.2e9 }
const SOL_MAX = 1e7
const SECONDS_MAX = 100 * 86_400

type Check = readonly [names: RegExp, isSo: (value: number) => boolean, what: string]
const UNITS: readonly Check[] = [
  [/^(t|t0|\w+_at|\w+_t)$/, (value) => value > TIME.min && value < TIME.max, 'no unix seconds'],
  [/^(\w+_share|\w+_rate|progress|drawdown_from_peak|hhi)$/, (value) => value >= 0 && value <= 1, 'no fraction'],
  [
    /^(\w*_?rs_sol|rs|peak_rs|dev_buy_sol|total_dev_buy_sol|\w+_reserves_sol|market_cap_sol)$/,
    (value) => value >= 0 && value < SOL_MAX,
    'no amount of SOL',
  ],
  [
    /^(\w+_s|(?!net)\w+_60s|count|launches|window_days|n_\w+|unique_buyers|slots_behind|rank)$/,
    (value) => value >= 0 && value < SECONDS_MAX * 10,
    'below 0 or too large',
  ],
]
/** Why a value does not fit the unit or kind that the name of its field states; undefined if it fits. */
const unitFault = (name: string, value: unknown): string | undefined => {
  if (ADDRESSES.has(name) && typeof value === 'string') return ADDRESS.test(value) ? undefined : `${value} is no address`
  if (typeof value !== 'number' || name === 'maxTimeoutSeconds') return undefined
  const wrong = UNITS.find(([names, isSo]) => names.test(name) && !isSo(value))
  return wrong && `${value} is ${wrong[2]}`
}

const hasReason = (parent: Json, name: string): boolean => {
  const reason = parent[`${name}_reason`] ?? parent.next_reason
  return typeof reason === 'string' && reason.length > 10
}

/** Fields that only some answers have. The function returns whether an answer must have the field. */
const SOMETIMES: Readonly<Record<string, (part: Json) => boolean>> = {
  'Envelope meta.next': () => false,
  'ThinMintCard history_reason': ({ history }) => history === null,
  'Rug detail.peak_rs': ({ flag }) => flag === 'curve_drained',
  'Rug detail.rs': ({ flag }) => flag === 'curve_drained',
  'CheckItem findings[].evidence.tokens_share': () => false,
  'ValidationError detail[].ctx': () => false,
  ...Object.fromEntries(
    ['changed', 'charged', 'next_check_after_s'].map((name) => [
      `CheckAnswer data.${name}`,
      ({ data }: Json) => isObject(data) && data.status === 'no_new_events',
    ]),
  ),
  ...Object.fromEntries(
    ['result_id', 'watch_events', 'watch_events[]'].map((name) => [
      `CheckAnswer data.${name}`,
      ({ data }: Json) => isObject(data) && data.status !== 'no_new_events',
    ]),
  ),
  ...Object.fromEntries(
    ['flag', 'first_seen_at', 'evidence', 'events'].map((name) => [
      `EvidenceAnswer data.${name}`,
      ({ data }: Json) => isObject(data) && data.status !== 'withheld',
    ]),
  ),
}

const fieldVerdict = (row: FieldRow, parts: readonly Json[]): Verdict => {
  const { component, field, type } = row
  const key = `${component} ${field}`
  const allowed = type.split('|')
  const types = new Set<string>()
  for (const part of parts)
    for (const one of placesOf(part, namesOf(field))) {
      const { value, parent, name, isCut } = one
      if (isCut) continue
      if (value === undefined) {
        if (SOMETIMES[key]?.(part) ?? true) return broken(key, `absent in ${JSON.stringify(part).slice(0, 160)}`)
        continue
      }
      const word = typeOf(value)
      types.add(word)
      const isAllowed = allowed.includes(word) || allowed.includes('any') || (word === 'integer' && allowed.includes('number'))
      if (!isAllowed && word !== 'null') return broken(key, `is ${word}: ${JSON.stringify(value).slice(0, 80)}`)
      if (word === 'null' && !isAllowed && !hasReason(parent, name))
        return broken(key, `is null without a reason in ${JSON.stringify(parent).slice(0, 160)}`)
      const fault = field.startsWith('next.') ? undefined : unitFault(name === '[]' ? '' : name, value)
      if (fault !== undefined) return broken(key, fault)
    }
  if (types.size === 0) return unobserved(key, `in none of ${parts.length} answers`)
  if ([...types].every((word) => word === 'null') && type !== 'null') return unobserved(key, `null in all of ${parts.length} answers`)
  return held(key)
}

const valuesOf = (parts: readonly Json[], field: string): readonly unknown[] =>
  parts.flatMap((part) => placesOf(part, namesOf(field))).flatMap(({ value, isCut }) => (isCut || value === undefined ? [] : [value]))

const withinBounds = (value: unknown, bounds: Readonly<Record<string, number>>): boolean => {
  const size = Array.isArray(value) || typeof value === 'string' ? value.length : Number(value)
  const { minimum = -Infinity, maximum = Infinity, minItems = -Infinity, maxItems = Infinity, maxLength = Infinity } = bounds
  return value === null || (size >= minimum && size <= maximum && size >= minItems && size <= maxItems && size <= maxLength)
}

/** `data.items` has two bounds: of a result, and of the answer without news. */
const partsOfBound = (parts: readonly Json[], bounds: Readonly<Record<string, number>>): readonly Json[] =>
  parts.filter(({ data }) => !isObject(data) || data.status === undefined || (data.status === 'no_new_events') === (bounds.maxItems === 0))

export const holdFields = ({ parts }: Answers): readonly Verdict[] => fieldRows.map((row) => fieldVerdict(row, parts[row.component] ?? []))

/**
 * A text that neither the contract nor `/v1/labels` (`labels`) has is a fault. A value of the contract that no answer has makes the row
 * unobserved.
 */
export const holdWords = ({ parts }: Answers, labels: string): readonly Verdict[] =>
  wordsRows.map(({ component, field, words }) => {
    const key = `${component} ${field}: ${words.join(', ')}`
    const seen = new Set(valuesOf(parts[component] ?? [], field).filter((value) => value !== null))
    const other = [...seen].find((value) => typeof value === 'string' && !words.includes(value) && !labels.includes(value))
    if (other !== undefined) return broken(key, `${String(other)} is explained nowhere`)
    const missing = words.filter((word) => !seen.has(word))
    return missing.length === 0 ? held(key) : unobserved(key, `never ${missing.join(', ')}`)
  })

export const holdBounds = ({ parts }: Answers): readonly Verdict[] =>
  boundRows.map(({ component, field, bounds }) => {
    const key = `${component} ${field} ${JSON.stringify(bounds)}`
    const values = valuesOf(partsOfBound(parts[component] ?? [], bounds), field)
    if (values.length === 0) return unobserved(key, 'in no answer')
    const wrong = values.find((value) => !withinBounds(value, bounds))
    return judged(key, wrong === undefined ? undefined : JSON.stringify(wrong).slice(0, 80))
  })
