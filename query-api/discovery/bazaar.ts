// The `bazaar` extension of a 402, by which catalogs learn what a route or tool takes and gives: plain JSON, written as its validator reads it.
import type { Tool } from '@modelcontextprotocol/server'
import { isPathParam } from '../input.ts'
import type { QuestionFacts } from '../question.ts'
import { shortExampleOf } from './examples.ts'

const DRAFT = 'https://json-schema.org/draft/2020-12/schema'

/** An address of no mint, for places where a catalog wants to see one. */
const EXAMPLE_ADDRESS = '7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs'

/** What a request that shows the parameters has as path and query. */
export const exampleInput = ({
  path,
  example,
}: QuestionFacts): { readonly path: string; readonly query: Readonly<Record<string, string>> } => {
  const [at = path, query = ''] = example.replaceAll(/\{\w+\}/g, EXAMPLE_ADDRESS).split('?')
  return { path: at, query: Object.fromEntries(new URLSearchParams(query)) }
}

/** As its schema says: the validator of catalogs reads examples as JSON. */
const typed = (text: string, type: unknown): string | number | boolean =>
  type === 'boolean' ? text === 'true' : type === 'integer' || type === 'number' ? Number(text) : text

const output = (path: string) => ({
  info: { type: 'json', example: shortExampleOf(path) },
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
export const httpBazaar = (facts: QuestionFacts) => {
  const { path, params } = facts
  const schemas = Object.entries(params).map(([name, { schema }]) => [name, schema] as const)
  const inPath = schemas.filter(([name]) => isPathParam(path, name))
  const { info, schema } = output(path)
  const query = Object.entries(exampleInput(facts).query).map(([name, text]) => [name, typed(text, params[name]?.schema.type)])
  const pathParams = Object.fromEntries(inPath.map(([name]) => [name, EXAMPLE_ADDRESS]))
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
export const mcpBazaar = ({ path, title }: QuestionFacts, { name, inputSchema }: Pick<Tool, 'name' | 'inputSchema'>) => {
  const { info, schema } = output(path)
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
