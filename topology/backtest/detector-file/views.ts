// Generates the code of read-only views of rows, which runs in a realm: accessors read the row they point to, so no call copies a row.
import { type Of, SEEN } from '../../../processors/detector-kit/fields.ts'

/** The result of the code below. */
export interface Views {
  /** The argument of `find`. */
  readonly rows: object
  /** The view of each row, for `notJudged`. */
  readonly views: Readonly<Record<string, object>>
  /** Points all views at rows of the host, by their names in the detector. */
  pointAt(rows: object): void
}

/** The row that may be absent. */
const OPTIONAL = 'pool'

const viewOf = (row: string, fields: readonly string[]): string => {
  const accessors = fields.map((field) => `get ${field}() { return at.${row}.${field} }, set ${field}(_) { wrote('${row}.${field}') }`)
  return `${row}: Object.freeze({ ${accessors.join(', ')} })`
}
const rowOf = (row: string): string => {
  const value = row === OPTIONAL ? `at.${row} === undefined ? undefined : views.${row}` : `views.${row}`
  return `get ${row}() { return ${value} }, set ${row}(_) { wrote('${row}') }`
}
const besideOf = (name: string): string => `get ${name}() { return at.${name} }, set ${name}(_) { wrote('${name}') }`

const codeOf = (of: Of): string => {
  const rows = Object.entries(SEEN[of].rows)
  const views = rows.map(([row, fields]) => viewOf(row, Object.keys(fields))).join(',\n')
  const all = [...rows.map(([row]) => rowOf(row)), ...Object.keys(SEEN[of].beside).map(besideOf)].join(', ')
  return `(wrote) => {
'use strict'
let at
const views = { ${views} }
return { views, rows: Object.freeze({ ${all} }), pointAt: (rows) => { at = rows } }
}`
}

/** Code of a function `(wrote) => Views`; `wrote` is called with `row.field` on assignment, and throws. */
export const VIEWS: Readonly<Record<Of, string>> = { mint: codeOf('mint'), curve: codeOf('curve') }
