// Rows of any kind of detector as the look-ahead test handles them: copied, and changed by the kind of each field.
import { type FieldKind, type Of, SEEN } from '../../../processors/detector-kit/fields.ts'
import type { Place, Position } from '../../../schemas/position.ts'

export type Primitive = string | number | bigint | boolean | null
type Row = Readonly<Record<string, Primitive>>
/** What `find` gets: rows, perhaps without a pool, and values beside them. */
export interface AnyRows {
  readonly launch: Place
  readonly position: Position
}
type Parts = Readonly<Record<string, Row | Primitive | undefined>>

const isRow = (part: Row | Primitive | undefined): part is Row => typeof part === 'object' && part !== null

/** Rows are flat, so that a spread is a whole copy. */
export const copyRows = <Rows extends AnyRows>(rows: Rows): Rows => {
  const copies: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(rows as unknown as Parts)) copies[name] = isRow(part) ? Object.freeze({ ...part }) : part
  return Object.freeze(copies) as unknown as Rows
}

/** The same rows with other values; the rows that are given stay as they are. */
export const changeRows = <Rows extends AnyRows>(of: Of, rows: Rows, change: (kind: FieldKind, value: Primitive) => Primitive): Rows => {
  const { rows: kinds, beside } = SEEN[of]
  const changed: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(rows as unknown as Parts))
    changed[name] = isRow(part)
      ? changeRow(kinds[name] ?? {}, part, change)
      : part === undefined
        ? part
        : change(beside[name] ?? 'other', part)
  return Object.freeze(changed) as unknown as Rows
}
const changeRow = (kinds: Readonly<Record<string, FieldKind>>, row: Row, change: (kind: FieldKind, value: Primitive) => Primitive): Row => {
  const changed: Record<string, Primitive> = {}
  for (const [field, value] of Object.entries(row)) changed[field] = change(kinds[field] ?? 'other', value)
  return Object.freeze(changed)
}

/** Calls `look` with every value. */
export const lookAt = (of: Of, rows: AnyRows, look: (kind: FieldKind, value: Primitive) => void): void => {
  changeRows(of, rows, (kind, value) => {
    look(kind, value)
    return value
  })
}
