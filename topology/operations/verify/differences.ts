// Collects the differences between the rows of the log and those of the history, by table: a count, and the first positions.
import { isBytes } from '../../../schemas/history-rows.ts'
import { type Key, keyText, type Signature, signatureText } from '../../../schemas/keys.ts'
import type { Chain } from '../../../schemas/types.ts'
import type { WireRow, WireValue } from '../../history/rows/row-reader.ts'
import type { RowsByTable } from './log-rows.ts'
import { type CheckedTable, publicName } from './tables.ts'

/** Positions that are reported for each kind and table. */
const TOLD_MAX = 5
/** Longest printed value. */
const VALUE_CHARS_MAX = 200
/** The version states when a row was written, not its content. */
const NOT_COMPARED: ReadonlySet<string> = new Set(['version'])

const WORDS = {
  missing: 'rows of the log that the history does not have',
  extra: 'rows of the history that the log does not have',
  doubled: 'rows of the history at a position where the log has another row',
  changed: 'rows that have other values in the history',
} as const
type DifferenceKind = keyof typeof WORDS

/** A position; for a changed row also the expected and the found value of each column that differs. */
export interface DifferingRow {
  readonly position: string
  readonly columns?: Readonly<Record<string, { readonly expected: unknown; readonly found: unknown }>>
}

/** A finding about one table. */
export interface TableFinding {
  readonly finding: DifferenceKind
  readonly table: string
  readonly count: number
  /** The first positions by slot. */
  readonly first: readonly DifferingRow[]
  readonly words: string
}

interface Counted {
  count: number
  readonly first: DifferingRow[]
}

export class Differences {
  readonly #chain: Chain
  readonly #found = new Map<string, Counted>()
  #compared = 0

  constructor(chain: Chain) {
    this.#chain = chain
  }
  /** Number of rows of the log that were compared. */
  get compared(): number {
    return this.#compared
  }
  /** Compares the rows of one range; ranges must be passed in ascending order of slots. */
  range(expected: RowsByTable, found: ReadonlyMap<CheckedTable, readonly WireRow[]>): void {
    for (const [table, rows] of expected) this.#table(table, rows, found.get(table) ?? [])
  }
  /** By table and kind, in order of first occurrence. */
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
    const found: { readonly kind: DifferenceKind; readonly place: DifferingRow; readonly slot: number }[] = []
    const note = (kind: DifferenceKind, row: WireRow, columns?: DifferingRow['columns']): void => {
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
  #count(name: string, place: DifferingRow): void {
    const counted = this.#found.get(name) ?? { count: 0, first: [] }
    counted.count++
    if (counted.first.length < TOLD_MAX) counted.first.push(place)
    this.#found.set(name, counted)
  }
}

const columnsOf = (table: CheckedTable, names: readonly string[], wanted: WireRow, row: WireRow): NonNullable<DifferingRow['columns']> => {
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
