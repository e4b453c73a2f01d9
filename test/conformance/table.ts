// The table of the contract's rows and their checks, for people.
import { isBuilt } from './check-row.ts'
import { deviations, errorRows, fieldRows, parameterRows, routeRows, testedElsewhere } from './rows.ts'

const CHECKED = 'test/conformance'
const line = (...cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
const table = (head: readonly string[], rows: readonly string[]): string =>
  [line(...head), line(...head.map(() => '---')), ...rows].join('\n')
const state = (row: { readonly path: string }): string => (isBuilt(row) ? CHECKED : 'not built yet')

/** Markdown. */
export const conformanceTable = (): string => `# Conformance

Every row of the contract's tables with the test that checks it, made by \`npm run documents\`.

## Stated deviations

${table(
  ['row', 'what'],
  deviations.map((row) => line(...row)),
)}

## Routes

${table(
  ['route', 'USD', 'tool', 'checked by'],
  routeRows.map((row) => line(row.path, String(row.priceUsd), row.tool ?? '', state(row))),
)}

## Parameters

${table(
  ['route', 'parameter', 'type', 'bounds', 'checked by'],
  parameterRows.map((row) =>
    line(
      row.path,
      row.name,
      row.type,
      Object.entries(row.bounds)
        .map(([word, value]) => `${word} ${value}`)
        .join(', '),
      state(row),
    ),
  ),
)}

## Fields

${table(
  ['component', 'field', 'type', 'checked by'],
  fieldRows.map(({ component, field, type }) => line(component, field, type, CHECKED)),
)}

## Errors and rules

${table(
  ['status', 'where', 'checked by'],
  errorRows.map(({ status, where }) => line(String(status), where, CHECKED)),
)}

${table(
  ['rule', 'checked by'],
  testedElsewhere.map((row) => line(...row)),
)}
`
