// Prints rows of a fold for people: amounts in whole coins, keys in their chain's notation, event coordinates as positions.
import type { Amount } from '../../../schemas/amount.ts'
import { type Key, keyText, type Signature, signatureText } from '../../../schemas/keys.ts'
import { formatPosition } from '../../../schemas/position.ts'
import type { Chain } from '../../../schemas/types.ts'
import type { StateType } from '../../engine/rows/state-type.ts'

export type Row = Readonly<Record<string, unknown>>
export type Printed = Readonly<Record<string, unknown>>

/** The units of amounts. */
export interface Units {
  readonly chain: Chain
  /** The quote currency, such as SOL; null if its amounts stay in base units. */
  readonly quote: { readonly symbol: string; readonly decimals: number } | null
  readonly tokenDecimals: number
}

interface FieldSchema {
  readonly name: string
  readonly type: unknown
}
interface RowSchema {
  readonly fields: readonly FieldSchema[]
}

/** Quote amounts whose names do not contain `quote`. */
const OF_QUOTE: ReadonlySet<string> = new Set(['taxUnits', 'thresholdUnits'])
const KEYS: ReadonlySet<string> = new Set(['Key32', 'Key20'])
const SIGNATURES: ReadonlySet<string> = new Set(['Signature', 'TransactionHash'])
const NOT_KNOWN = 'not known'

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const branches = (type: unknown): readonly unknown[] => (Array.isArray(type) ? type : [type])
const nameOf = (type: unknown): string => (typeof type === 'string' ? type : ((type as { name?: string } | null)?.name ?? ''))
const isOneOf = (type: unknown, names: ReadonlySet<string>): boolean => branches(type).some((one) => names.has(nameOf(one)))

const wholeOf = (amount: Amount, decimals: number): number => Number(`${amount}e-${decimals}`)

/** Prints the rows of one processor. */
export class RowPrinter {
  readonly #fields: ReadonlyMap<string, readonly FieldSchema[]>

  constructor({ schema }: Pick<StateType, 'schema'>) {
    const { fields } = JSON.parse(schema) as RowSchema
    this.#fields = new Map(fields.map(({ name, type }) => [name, rowFields(type)]))
  }
  /** `kind`: kind of the row. An amount that is not known (null, or a quote amount of -1) is printed as null, with a reason. */
  print(kind: string, row: Row, units: Units): Printed {
    const fields = this.#fields.get(kind) ?? []
    const places = new Map(fields.flatMap(({ name }) => placeFields(name, row).map((field) => [field, name] as const)))
    const printed: Record<string, unknown> = {}
    for (const { name, type } of fields) {
      const place = places.get(name)
      if (place === name)
        printed[`${snake(name.replace(/[nN]umber$/, ''))}_position`.replace(/^_/, '')] = positionIn(name, row, units.chain)
      else if (place === undefined) Object.assign(printed, fieldOf(name, type, row[name], units))
    }
    return printed
  }
}

const rowFields = (type: unknown): readonly FieldSchema[] => {
  const row = Array.isArray(type) ? type.find((one) => one !== 'null') : (type as { items?: unknown }).items
  return ((row as Partial<RowSchema> | undefined)?.fields ?? []) as readonly FieldSchema[]
}

const PLACE = ['Tx', 'Outer', 'Inner'] as const
/** The fields that together form a position, where `name` is the field of its number. */
const placeFields = (name: string, row: Row): string[] => {
  if (!/(^n|N)umber$/.test(name)) return []
  const prefix = name.replace(/[nN]umber$/, '')
  const others = PLACE.map((part) => (prefix === '' ? part.toLowerCase() : `${prefix}${part}`))
  return others.every((other) => other in row) ? [name, ...others] : []
}
const positionIn = (name: string, row: Row, chain: Chain): string | null => {
  const [number = -1, tx = 0, outer = 0, inner = 0] = placeFields(name, row).map((field) => row[field] as number)
  return number === -1 ? null : formatPosition({ chain, number, tx, outer, inner })
}

const fieldOf = (name: string, type: unknown, value: unknown, units: Units): Printed => {
  if (/(^u|U)nits$/.test(name)) return amountOf(name, value as Amount | null, units)
  const field = snake(name)
  if (typeof value !== 'string') return { [field]: value }
  if (isOneOf(type, SIGNATURES)) return { [field]: signatureText(value as Signature) }
  return { [field]: isOneOf(type, KEYS) ? keyText(value as Key) : value }
}

const amountOf = (name: string, value: Amount | null, { quote, tokenDecimals }: Units): Printed => {
  const stem = snake(name.replace(/U?u?nits$/, ''))
  const isQuote = /[qQ]uoteUnits$/.test(name) || OF_QUOTE.has(name)
  const unit = isQuote ? (quote?.symbol.toLowerCase() ?? 'units') : 'tokens'
  const field = [stem.replace(/(^|_)(quote|token)$/, unit === 'units' ? '$&' : ''), unit].filter((part) => part !== '').join('_')
  if (value === null || (value === -1 && isQuote)) return { [field]: null, [`${field}_reason`]: NOT_KNOWN }
  const decimals = isQuote ? quote?.decimals : tokenDecimals
  return { [field]: decimals === undefined ? String(value) : wholeOf(value, decimals) }
}

/** The fields of `after` that differ from `before`, by dotted path, with both values. */
export const movedBetween = (before: Printed, after: Printed): Printed => {
  const moved: Record<string, unknown> = {}
  for (const [kind, row] of Object.entries(after)) {
    const was = (before[kind] ?? {}) as Printed
    for (const [field, value] of Object.entries((row ?? {}) as Printed))
      if (was[field] !== value) moved[`${kind}.${field}`] = { before: was[field] ?? null, after: value }
  }
  return moved
}
