// The `bazaar` extension of a 402: input and output of a route or tool for catalogs, in the form that their validators require. It has no
// descriptions and no example answer, because header and payment repeat it: `/openapi.json` has them, and a link
// leads to the example.
import type { Tool } from '@modelcontextprotocol/server'
import { isPathParam } from '../questions/input.ts'
import type { QuestionFacts } from '../questions/question-facts.ts'
import { EXAMPLES_PATH, operationIdOf } from './linked.ts'
import { inputOf, type Shown, shownFor } from './shown.ts'

/** Query text as a JSON value of the schema's type: the catalogs' validator checks examples as JSON. */
const typed = (text: string, type: unknown): string | number | boolean =>
  type === 'boolean' ? text === 'true' : type === 'integer' || type === 'number' ? Number(text) : text

/** `externalValue` as in OpenAPI: the address of the example. */
const outputOf = (facts: QuestionFacts, { baseUrl }: Shown) => ({
  type: 'json',
  example: { externalValue: `${baseUrl}${EXAMPLES_PATH}${operationIdOf(facts)}.json` },
})

const schemaOf = (input: object) => ({
  type: 'object',
  properties: { input, output: { type: 'object', properties: { example: { type: 'object' } } } },
})

/**
 * For a route. The schema has path parameters among the query parameters: some catalogs read only the query parameters, and treat a route
 * without any as broken.
 */
export const httpBazaar = (facts: QuestionFacts, shown: Shown) => {
  const { path, params } = facts
  const schemas = Object.entries(params).map(([name, { schema }]) => {
    const { description: _, ...form } = schema
    return [name, form] as const
  })
  const query = Object.entries(inputOf(facts, shown).query).map(([name, text]) => [name, typed(text, params[name]?.schema.type)])
  const inPath = Object.keys(params).filter((name) => isPathParam(path, name))
  const pathParams = Object.fromEntries(inPath.map((name) => [name, shownFor(facts, name, shown)]))
  const hasPath = inPath.length > 0
  return {
    ...(hasPath && { routeTemplate: path.replaceAll(/\{(\w+)\}/g, ':$1') }),
    info: {
      input: { type: 'http', method: 'GET', queryParams: Object.fromEntries(query), ...(hasPath && { pathParams }) },
      output: outputOf(facts, shown),
    },
    schema: schemaOf({
      type: 'object',
      properties: {
        type: { const: 'http' },
        method: { const: 'GET' },
        queryParams: { type: 'object', properties: Object.fromEntries(schemas) },
      },
    }),
  }
}

/** For a tool; `inputSchema` as in `tools/list`. */
export const mcpBazaar = (facts: QuestionFacts, { name, inputSchema }: Pick<Tool, 'name' | 'inputSchema'>, shown: Shown) => ({
  info: {
    input: { type: 'mcp', toolName: name, description: facts.title, transport: 'streamable-http', inputSchema },
    output: outputOf(facts, shown),
  },
  schema: schemaOf({
    type: 'object',
    properties: { type: { const: 'mcp' }, toolName: { type: 'string' }, inputSchema: { type: 'object' } },
    required: ['type', 'toolName', 'inputSchema'],
  }),
})
