// The table of routes in query-api/README.md, made from the list of questions.
import { readFileSync } from 'node:fs'
import { questions } from '../../../query-api/app/list/questions.ts'

const START = '<!-- routes -->\n'
const END = '<!-- /routes -->'

const table = (): string =>
  [
    '| route | USD | MCP tool | returns |',
    '|---|---|---|---|',
    ...questions.map(
      ({ path, priceMicroUsdc, tool, description }) =>
        `| \`${path}\` | ${priceMicroUsdc / 1e6} | ${tool === null ? '' : `\`${tool}\``} | ${description.replaceAll('|', '\\|')} |`,
    ),
  ].join('\n')

/** The document with the table of this program. @throws where it has no place for the table */
export const withRoutes = (file: string): string => {
  const [before, rest, ...more] = readFileSync(file, 'utf8').split(START)
  const [, after] = rest?.split(END) ?? []
  if (after === undefined || more.length > 0) throw new Error(`${file} must have the lines ${START.trim()} and ${END} once`)
  return `${before}${START}${table()}\n${END}${after}`
}
