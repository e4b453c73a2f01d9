// The `bazaar` extension of a 402, by which catalogs learn what a route or tool takes and gives: plain JSON, written as its validator reads it.
import type { Tool } from '@modelcontextprotocol/server'
import { isPathParam } from '../questions/input.ts'
import type { QuestionFacts } from '../questions/question-facts.ts'
import { shortExampleOf } from './examples.ts'
import { inputOf, type Shown, shownFor } from './shown.ts'

const DRAFT = 'https://json-schema.org/draft/2020-12/schema'

/** As its schema says: the validator of catalogs reads examples as JSON. */
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
 * Of a route. Parameters of the path stand among those of the query too: some catalogs read only these, and take a route without any for
 * broken.
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

/** Of a tool; `inputSchema` as `tools/list` gives it. */
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
