// Generates tables in documents: routes with their prices, and the laws.
import { readFileSync } from 'node:fs'
import { questions } from '../../../query-api/app/list/questions.ts'
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

const TABLES = { routes, laws }

/** The document with its table regenerated. @throws if the document lacks the table's markers */
export const withTable = (file: string, table: keyof typeof TABLES): string => {
  const [start, end] = [`<!-- ${table} -->\n`, `<!-- /${table} -->`]
  const [before, rest, ...more] = readFileSync(file, 'utf8').split(start)
  const [, after] = rest?.split(end) ?? []
  if (after === undefined || more.length > 0) throw new Error(`${file} must contain the lines ${start.trim()} and ${end} once each`)
  return `${before}${start}${TABLES[table]().join('\n')}\n${end}${after}`
}
