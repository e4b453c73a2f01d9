// Questions as MCP tools: names, descriptions and schemas, and the conversion of arguments into the equivalent HTTP request.
import type { JSONObject, Tool } from '@modelcontextprotocol/server'
import type { Question } from '../answers/question.ts'
import type { Service } from '../answers/service.ts'
import { mcpBazaar } from '../discovery/bazaar.ts'
import { freshnessOf } from '../discovery/freshness.ts'
import { shownOf } from '../discovery/shown.ts'
import { parseJson } from '../payment/json.ts'
import type { ProblemDetail } from '../questions/bodies.ts'
import { isPathParam, unknownName } from '../questions/input.ts'
import type { Param } from '../questions/params.ts'
import type { RawInput } from '../questions/question-facts.ts'

export interface ToolEntry {
  readonly tool: Tool
  readonly question: Question
  /** The tool's `bazaar` extension for a 402. */
  readonly bazaar: () => object
}

export type Arguments = Readonly<Record<string, unknown>>
export type ReadArguments =
  | { readonly ok: true; readonly raw: RawInput /** The same for the same arguments in any order. */; readonly canonical: string }
  | { readonly ok: false; readonly detail: readonly ProblemDetail[] }

/** By name; questions without a tool name are available over HTTP only. */
export const toolsOf = (questions: readonly Question[], service: Service): ReadonlyMap<string, ToolEntry> =>
  new Map(questions.flatMap((question) => (question.tool === null ? [] : [[question.tool, entryOf(question, question.tool, service)]])))

const entryOf = (question: Question, name: string, service: Service): ToolEntry => {
  const { title, description, coverageRule, priceMicroUsdc, params } = question
  const price = service.priceUsd(question)
  const freshness = freshnessOf(question)
  const words = [
    description,
    price === 0 ? 'Free.' : `Costs ${price} USD per call (x402).`,
    ...(freshness === undefined ? [] : [freshness]),
    `Coverage: ${coverageRule}.`,
  ]
  const required = Object.entries(params).flatMap(([param, { fallback }]) => (fallback === undefined ? [param] : []))
  const tool: Tool = {
    name,
    title,
    description: words.join(' '),
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(Object.entries(params).map(([param, { schema, argument }]) => [param, jsonOf(argument ?? schema)])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, idempotentHint: priceMicroUsdc === 0, openWorldHint: true },
  }
  return { question, tool, bazaar: () => mcpBazaar(question, tool, shownOf(service)) }
}

const jsonOf = (value: object): JSONObject => JSON.parse(JSON.stringify(value)) as JSONObject

/** Converts JSON values into query text; values that cannot be converted are problems. Null counts as absent. */
export const readArguments = ({ path, params }: Question, given: Arguments): ReadArguments => {
  const known = Object.keys(params)
  const detail: ProblemDetail[] = []
  const texts: [name: string, text: string][] = []
  for (const [name, value] of Object.entries(given)) {
    const param = Object.hasOwn(params, name) ? params[name] : undefined
    const text = param === undefined || value === null ? undefined : textOf(param, value)
    if (param === undefined) detail.push(unknownArgument(name, known, value))
    else if (text !== undefined) texts.push([name, text])
    else if (value !== null) detail.push(wrongType(name, param, value))
  }
  for (const [name, { fallback }] of Object.entries(params))
    if (fallback === undefined && (given[name] ?? null) === null)
      detail.push({ type: 'missing', loc: [name], msg: 'Field required', input: null })
  if (detail.length > 0) return { ok: false, detail }
  const sorted = texts.sort(([a], [b]) => (a < b ? -1 : 1))
  const [inPath, inQuery] = [sorted.filter(([name]) => isPathParam(path, name)), sorted.filter(([name]) => !isPathParam(path, name))]
  return {
    ok: true,
    raw: { path: Object.fromEntries(inPath), query: Object.fromEntries(inQuery) },
    canonical: JSON.stringify(sorted),
  }
}

/** Joins a list by commas; items with a comma are invalid. Some models send a list as its JSON text. */
const textOf = ({ argument }: Param<unknown>, value: unknown): string | undefined => {
  if (argument?.type === 'array') {
    const list = typeof value === 'string' ? parseJson(value) : value
    return Array.isArray(list) && list.every((item) => typeof item === 'string' && !item.includes(',')) ? list.join(',') : undefined
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

const unknownArgument = (name: string, known: readonly string[], input: unknown): ProblemDetail => ({
  ...unknownName(name, known, 'argument', 'this tool'),
  loc: [name],
  input,
})

const wrongType = (name: string, { schema, argument }: Param<unknown>, input: unknown): ProblemDetail => {
  if (argument?.type === 'array') return { type: 'list_type', loc: [name], msg: 'Input should be a JSON array of strings', input }
  const [type] = [schema.type].flat()
  return { type: `${type}_type`, loc: [name], msg: `Input should be a valid ${type}`, input }
}
