// Generates tables in documents: routes with their prices, the laws, and the settings.
import { readFileSync } from 'node:fs'
import { questions } from '../../../query-api/app/list/questions.ts'
import { listSettings } from '../../../topology/cli/settings/settings.ts'
import { LAWS } from '../../laws.ts'

const line = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`

const routes = (): readonly string[] => [
  line('route', 'USD', 'MCP tool', 'returns'),
  '|---|---|---|---|',
  ...questions.map(({ path, priceMicroUsdc, tool, description }) =>
    line(`\`${path}\``, String(priceMicroUsdc / 1e6), tool === null ? '' : `\`${tool}\``, description.replaceAll('|', '\\|')),
  ),
]

const laws = (): readonly string[] => [
  line('law', 'rule', 'why', 'held by'),
  '|---|---|---|---|',
  ...LAWS.map(({ name, rule, why, test: { file, titles } }) => line(name, rule, why, `[${titles.join(': ')}](../${file})`)),
]

/** A value that every setting with a rule refuses; the error states the rule. */
const INVALID = '\0'
/** The valid values according to the error for an invalid value, without the part about the given value. */
const valuesOf = (problem: string | null): string =>
  problem === null ? 'text' : problem.replace(/^must be /, '').replace(/ \([\s\S]*$/, '')

const settings = (): readonly string[] => {
  const unset = listSettings({})
  const invalid = listSettings(Object.fromEntries(unset.map(({ name }) => [name, INVALID])))
  return [
    line('variable', 'default', 'value', 'meaning'),
    '|---|---|---|---|',
    ...unset.map(({ name, shown, doc: { meaning, fallback } }, at) =>
      line(`\`${name}\``, fallback ?? (shown === null ? '-' : `\`${shown}\``), valuesOf(invalid[at]?.problem ?? null), meaning),
    ),
  ]
}

const TABLES = { routes, laws, settings }

/** The document with its table regenerated. @throws if the document lacks the table's markers */
export const withTable = (file: string, table: keyof typeof TABLES): string => {
  const [start, end] = [`<!-- ${table} -->\n`, `<!-- /${table} -->`]
  const [before, rest, ...more] = readFileSync(file, 'utf8').split(start)
  const [, after] = rest?.split(end) ?? []
  if (after === undefined || more.length > 0) throw new Error(`${file} must contain the lines ${start.trim()} and ${end} once each`)
  return `${before}${start}${TABLES[table]().join('\n')}\n${end}${after}`
}
