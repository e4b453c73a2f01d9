// The table of the contract's rows and their checks, for readers.
import { notApplicable } from '../integration/mcp/not-applicable.ts'
import { isAlsoNull } from './check-row.ts'
import { boundRows, fieldRows, wordsRows } from './field-rows.ts'
import { deviations, parameterRows, routeRows, typicalRows } from './rows.ts'
import { errorRows, ruleRows } from './rule-rows.ts'

/** The first checks what is published, the second the answers of a demo. */
const CHECKED = 'test/conformance, test/e2e/contract'
const line = (...cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [line(...head), line(...head.map(() => '---')), ...rows.map((row) => line(...row))].join('\n')
const boundsText = (bounds: Readonly<Record<string, unknown>>): string =>
  Object.entries(bounds)
    .map(([word, value]) => `${word} ${String(value)}`)
    .join(', ')

const TABLES: readonly (readonly [title: string, head: readonly string[], rows: readonly (readonly string[])[]])[] = [
  ['Stated deviations', ['row', 'what'], deviations],
  ['Routes', ['route', 'USD', 'tool', 'checked by'], routeRows.map((row) => [row.path, String(row.priceUsd), row.tool ?? '', CHECKED])],
  [
    'Parameters',
    ['route', 'parameter', 'type', 'bounds', 'checked by'],
    parameterRows.map((row) => [row.path, row.name, row.type, boundsText(row.bounds), CHECKED]),
  ],
  [
    'Typical times',
    ['route', 'coverage', 'latency, ms', 'freshness, s', 'checked by'],
    typicalRows.map((row) => [row.path, row.coverage, String(row.latencyMs), String(row.freshnessS), CHECKED]),
  ],
  [
    'Fields',
    ['component', 'field', 'type', 'deviation', 'checked by'],
    fieldRows.map((row) => [row.component, row.field, row.type, isAlsoNull(row) ? 'or null with its reason' : '', CHECKED]),
  ],
  [
    'Words and bounds of fields',
    ['component', 'field', 'what', 'checked by'],
    [
      ...wordsRows.map((row) => [row.component, row.field, row.words.join(', '), CHECKED]),
      ...boundRows.map((row) => [row.component, row.field, boundsText(row.bounds), CHECKED]),
    ],
  ],
  ['Errors', ['status', 'where', 'checked by'], [...errorRows.map(({ status, where }) => [String(status), where, CHECKED])]],
  ['Rules and limits', ['rule', 'checked by', 'test'], ruleRows.map(({ row, file, title }) => [row, file, title])],
  [
    'MCP conformance suite: what does not apply',
    ['scenario or check', 'why'],
    notApplicable.flatMap(({ names, why }) => names.map((name) => [name, why])),
  ],
]

/** Markdown. */
export const conformanceTable = (): string =>
  `# Conformance

Every row of the contract's tables with the test that checks it, made by \`npm run documents\`. The last table has the scenarios and checks of the
official MCP conformance suite that do not apply; all others pass (test/integration/mcp/conformance.test.ts).

${TABLES.map(([title, head, rows]) => `## ${title}\n\n${table(head, rows)}\n`).join('\n')}`
