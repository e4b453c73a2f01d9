// The `bazaar` extension of a 402: input and output of a route or tool for catalogs, in the form that their validator requires.
import type { Tool } from '@modelcontextprotocol/server'
import { isPathParam } from '../questions/input.ts'
import type { QuestionFacts } from '../questions/question-facts.ts'
import { shortExampleOf } from './examples.ts'
import { inputOf, type Shown, shownFor } from './shown.ts'

const DRAFT = 'https://json-schema.org/draft/2020-12/schema'

/** Query text as a JSON value of the schema's type: the catalogs' validator checks examples as JSON. */
const typed = (text: string, type: unknown): string | number | boolean =>
  type === 'boolean' ? text === 'true' : type === 'integer' || type === 'number' ? Number(text) : text

const output = (path: string, shown: Shown) => ({
  info: { type: 'json', example: shortExampleOf(path, shown) },
  schema: { type: 'object', properties: { type: { type: 'string' }, example: { type: 'object' } }, required: ['type'] },
})

const schemaOf = (input: object, outputSchema: object) => ({
  $schema: DRAFT,
  type: 'object',
  properties: { input, output: outputSchema },
  required: ['input'],
})

/**
 * For a route. The schema repeats path parameters among the query parameters: some catalogs read only the query parameters, and treat a
 * route without any as broken.
 */
export const httpBazaar = (facts: QuestionFacts, shown: Shown) => {
  const { path, params } = facts
  const schemas = Object.entries(params).map(([name, { schema }]) => [name, schema] as const)
  const inPath = schemas.filter(([name]) => isPathParam(path, name))
  const { info, schema } = output(path, shown)
  const query = Object.entries(inputOf(facts, shown).query).map(([name, text]) => [name, typed(text, params[name]?.schema.type)])
  const pathParams = Object.fromEntries(inPath.map(([name]) => [name, shownFor(facts, name, shown)]))
  const hasPath = inPath.length > 0
  return {
    ...(hasPath && { routeTemplate: path.replaceAll(/\{(\w+)\}/g, ':$1') }),
    info: { input: { type: 'http', method: 'GET', queryParams: Object.fromEntries(query), ...(hasPath && { pathParams }) }, output: info },
    schema: schemaOf(
      {
        type: 'object',
        properties: {
          type: { type: 'string', const: 'http' },
          method: { type: 'string', enum: ['GET', 'HEAD', 'DELETE'] },
          queryParams: { type: 'object', properties: Object.fromEntries(schemas) },
          ...(hasPath && { pathParams: { type: 'object', properties: Object.fromEntries(inPath) } }),
        },
        required: ['type', 'method'],
        additionalProperties: false,
      },
      schema,
    ),
  }
}

/** For a tool; `inputSchema` as in `tools/list`. */
export const mcpBazaar = ({ path, title }: QuestionFacts, { name, inputSchema }: Pick<Tool, 'name' | 'inputSchema'>, shown: Shown) => {
  const { info, schema } = output(path, shown)
  const transport = 'streamable-http'
  return {
    info: { input: { type: 'mcp', toolName: name, description: title, transport, inputSchema }, output: info },
    schema: schemaOf(
      {
        type: 'object',
        properties: {
          type: { type: 'string', const: 'mcp' },
          toolName: { type: 'string' },
          description: { type: 'string' },
          transport: { type: 'string', enum: [transport] },
          inputSchema: { type: 'object' },
        },
        required: ['type', 'toolName', 'inputSchema'],
        additionalProperties: false,
      },
      schema,
    ),
  }
}
