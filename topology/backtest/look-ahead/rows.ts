// Copies the rows that detectors receive, and changes their values according to the kinds of the fields, for the look-ahead test.
import { type FieldKind, type Of, SEEN } from '../../../processors/detector-kit/fields.ts'
import type { Position, PositionInChain } from '../../../schemas/position.ts'

export type Primitive = string | number | bigint | boolean | null
type Row = Readonly<Record<string, Primitive>>
/** The argument of `find`: rows (`pool` may be missing) and single values such as `position`. */
export interface AnyRows {
  readonly launch: PositionInChain
  readonly position: Position
}
type Parts = Readonly<Record<string, Row | Primitive | undefined>>

const isRow = (part: Row | Primitive | undefined): part is Row => typeof part === 'object' && part !== null

/** Rows are flat. Object literals with all fields, not spreads, halve the cost of a call that the look-ahead test samples (Node 20). */
const copierOf = (fields: readonly string[]): ((row: Row) => Row) =>
  new Function('row', `return { ${fields.map((field) => `${field}: row.${field}`).join(', ')} }`) as (row: Row) => Row
const copiersOf = (of: Of) => Object.entries(SEEN[of].rows).map(([row, fields]) => [row, copierOf(Object.keys(fields))] as const)
const COPIERS = { mint: copiersOf('mint'), curve: copiersOf('curve') }

/** A copy independent of the original rows. */
export const copyRows = <Rows extends AnyRows>(of: Of, rows: Rows): Rows => {
  const copies: Record<string, unknown> = { ...(rows as unknown as Parts) }
  for (const [name, copy] of COPIERS[of]) {
    const row = copies[name]
    if (row !== undefined) copies[name] = copy(row as Row)
  }
  return copies as unknown as Rows
}

type Kinds = readonly (readonly [field: string, kind: FieldKind])[]
/** The fields of each row whose kind is not `other`; `other` fields never change. */
const kindsOf = (fields: Readonly<Record<string, FieldKind>>): Kinds => Object.entries(fields).filter(([, kind]) => kind !== 'other')
const KINDS: Readonly<Record<Of, { readonly rows: ReadonlyMap<string, Kinds>; readonly beside: Kinds }>> = (() => {
  const of = (one: Of) => {
    const { rows, beside } = SEEN[one]
    return { rows: new Map(Object.entries(rows).map(([row, fields]) => [row, kindsOf(fields)])), beside: kindsOf(beside) }
  }
  return { mint: of('mint'), curve: of('curve') }
})()

/** A copy of the rows with changed values in the fields whose kind is not `other`. */
export const changeRows = <Rows extends AnyRows>(of: Of, rows: Rows, change: (kind: FieldKind, value: Primitive) => Primitive): Rows => {
  const changed: Record<string, Row | Primitive | undefined> = { ...(rows as unknown as Parts) }
  for (const [name, kinds] of KINDS[of].rows) {
    const row = changed[name]
    if (isRow(row)) changed[name] = changeFields(row, kinds, change)
  }
  return changeFields(changed as Row, KINDS[of].beside, change) as unknown as Rows
}
const changeFields = (row: Row, kinds: Kinds, change: (kind: FieldKind, value: Primitive) => Primitive): Row => {
  const changed: Record<string, Primitive> = { ...row }
  for (const [field, kind] of kinds) changed[field] = change(kind, row[field] as Primitive)
  return Object.freeze(changed)
}

/** Calls `visit` with every value of a field whose kind is not `other`. */
export const visitFields = (of: Of, rows: AnyRows, visit: (kind: FieldKind, value: Primitive) => void): void => {
  changeRows(of, rows, (kind, value) => {
    visit(kind, value)
    return value
  })
}
