// What differs between the rows of the log and those of the history, by table: counted, with the first places.
import { isBytes } from '../../../schemas/history-rows.ts'
import { type Key, keyText, type Signature, signatureText } from '../../../schemas/keys.ts'
import type { Chain } from '../../../schemas/types.ts'
import type { WireRow, WireValue } from '../../history/rows/row-reader.ts'
import type { RowsByTable } from './log-rows.ts'
import { type CheckedTable, publicName } from './tables.ts'

/** Places that are told of each kind and table. */
const TOLD_MAX = 5
/** Of a value that differs. */
const VALUE_CHARS_MAX = 200
/** Says when a row was said, not what. */
const NOT_COMPARED: ReadonlySet<string> = new Set(['version'])

const WORDS = {
  missing: 'rows of the log that the history does not have',
  extra: 'rows of the history that the log does not have',
  doubled: 'rows of the history at a place of which the log has another one',
  changed: 'rows that the history has with other values',
} as const
type DifferenceKind = keyof typeof WORDS

/** One place; `columns` of a changed row with what each should be and what it is. */
export interface Place {
  readonly position: string
  readonly columns?: Readonly<Record<string, { readonly expected: unknown; readonly found: unknown }>>
}

/** A finding about one table. */
export interface TableFinding {
  readonly finding: DifferenceKind
  readonly table: string
  readonly count: number
  /** Of the first ones by slot. */
  readonly first: readonly Place[]
  readonly words: string
}

interface Counted {
  count: number
  readonly first: Place[]
}

export class Differences {
  readonly #chain: Chain
  readonly #found = new Map<string, Counted>()
  #compared = 0

  constructor(chain: Chain) {
    this.#chain = chain
  }
  /** Rows of the log that were looked for. */
  get compared(): number {
    return this.#compared
  }
  /** Compares the rows of one range; ranges come in the order of their slots. */
  range(expected: RowsByTable, found: ReadonlyMap<CheckedTable, readonly WireRow[]>): void {
    for (const [table, rows] of expected) this.#table(table, rows, found.get(table) ?? [])
  }
  /** By table, in the order in which they were met. */
  findings(): readonly TableFinding[] {
    return [...this.#found].map(([name, { count, first }]) => {
      const [table = '', kind = 'missing'] = name.split(' ') as [string, DifferenceKind]
      return { finding: kind, table, count, first, words: WORDS[kind] }
    })
  }

  #table(table: CheckedTable, expected: ReadonlyMap<string, WireRow>, rows: readonly WireRow[]): void {
    const missing = new Map(expected)
    const placeOf = (row: WireRow): string => table.placeOf(row, this.#chain)
    const places = new Set([...expected.values()].map(placeOf))
    this.#compared += expected.size
    const found: { readonly kind: DifferenceKind; readonly place: Place; readonly slot: number }[] = []
    const note = (kind: DifferenceKind, row: WireRow, columns?: Place['columns']): void => {
      const place = { position: placeOf(row), ...(columns && { columns }) }
      found.push({ kind, place, slot: table.slotOf(row) ?? 0 })
    }
    for (const row of rows) {
      const identity = table.identityOf(row)
      const wanted = missing.get(identity)
      missing.delete(identity)
      if (wanted === undefined) note(places.has(placeOf(row)) ? 'doubled' : 'extra', row)
      else {
        const names = wanted.differs(row).filter((name) => !NOT_COMPARED.has(name))
        if (names.length > 0) note('changed', row, columnsOf(table, names, wanted, row))
      }
    }
    for (const row of missing.values()) note('missing', row)
    found.sort((a, b) => a.slot - b.slot || (a.place.position < b.place.position ? -1 : 1))
    for (const { kind, place } of found) this.#count(`${publicName(table)} ${kind}`, place)
  }
  #count(name: string, place: Place): void {
    const counted = this.#found.get(name) ?? { count: 0, first: [] }
    counted.count++
    if (counted.first.length < TOLD_MAX) counted.first.push(place)
    this.#found.set(name, counted)
  }
}

const columnsOf = (table: CheckedTable, names: readonly string[], wanted: WireRow, row: WireRow): NonNullable<Place['columns']> => {
  const told = (name: string, value: WireValue): unknown =>
    toldOf(table.columns.find((column) => column.name === name)?.kind ?? 'text', value)
  return Object.fromEntries(names.map((name) => [name, { expected: told(name, wanted.value(name)), found: told(name, row.value(name)) }]))
}

const toldOf = (kind: CheckedTable['columns'][number]['kind'], value: WireValue): unknown => {
  if (value === null) return null
  if (kind === 'signature' || kind === 'txHash') return signatureText(String(value) as Signature)
  if (isBytes(kind)) return keyText(String(value) as Key)
  if (kind === 'time') return new Date(Number(value)).toISOString()
  return typeof value === 'string' ? value.slice(0, VALUE_CHARS_MAX) : value
}
