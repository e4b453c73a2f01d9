// Generates MCP request bodies, mostly malformed: each must be answered according to JSON-RPC, and none may cause an internal error.
import { faultsAs } from '../shapes/check.ts'
import type { Answered } from './ask.ts'

type Pick = <T>(list: readonly T[]) => T
type Json = Readonly<Record<string, unknown>>

/** A raw request to `/mcp`. */
export interface McpRequest {
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string>>
}

const DEEP = 20_000
const HUGE = 60_000
const deepList = `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`
const deepObject = `${'{"a":'.repeat(DEEP / 2)}1${'}'.repeat(DEEP / 2)}`

/** JSON texts, valid and hostile, for any place in a body. */
const VALUES = [
  'null',
  'true',
  '0',
  '-1',
  '1e309',
  '1.5',
  '""',
  '"3"',
  '"\\ud800"',
  '"\\u0000\\u202e"',
  '[]',
  '{}',
  '[[]]',
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":1}}',
  `"${'x'.repeat(HUGE)}"`,
  deepList,
  deepObject,
  `[${'1,'.repeat(9_000)}1]`,
]
const PAYMENTS = [
  '"e30="',
  '"paid"',
  '{"x402Version":1}',
  '{"x402Version":2}',
  '{"x402Version":2,"accepted":null,"payload":{}}',
  '{"x402Version":2,"accepted":{"scheme":"exact","network":"solana:x","asset":"a","amount":"1","payTo":"p","maxTimeoutSeconds":60},"payload":{"transaction":"AAAA"}}',
  '{"x402Version":2,"accepted":[],"payload":"","extensions":[1]}',
]
const METHODS = [
  'tools/list',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'initialize',
  'ping',
  'completion/complete',
  'logging/setLevel',
  'tasks/list',
  'notifications/cancelled',
  'notifications/initialized',
  '__proto__',
  '',
]
const BROKEN: readonly Buffer[] = [
  '',
  '{',
  'null',
  '5',
  '"text"',
  '[]',
  '[{}]',
  '\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}',
  '{"jsonrpc":"1.0","id":1,"method":"ping"}',
  '{"id":1,"method":"ping"}',
  '{"jsonrpc":"2.0","id":1,"result":{}}',
  '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}',
  '{"jsonrpc":"2.0","id":1,"method":5}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":"x"}',
  deepList,
  deepObject,
]
  .map((text) => Buffer.from(text))
  .concat([Buffer.from([0xff, 0xfe, 0x00]), Buffer.from('7b22c328223a317d', 'hex')])
const HEADERS: readonly McpRequest['headers'][] = [
  {},
  {},
  {},
  { 'mcp-protocol-version': '2025-06-18' },
  { 'mcp-protocol-version': 'x'.repeat(500) },
  { 'mcp-session-id': 'none' },
  { 'last-event-id': '1' },
  { accept: 'text/html' },
]
const IDS = ['1', '"a"', '0', '1.5', 'null', '{}', '[]', '1e400', `"${'i'.repeat(1_000)}"`, 'true']

export interface McpWorld {
  readonly tools: readonly string[]
  /** Names of arguments of the tools. */
  readonly names: readonly string[]
  readonly mints: readonly string[]
}

/** Generates one request, mostly a tool call with something wrong in it. */
export const mcpRequest = (world: McpWorld, roll: () => number, pick: Pick): McpRequest => {
  const chance = roll()
  const headers = pick(HEADERS)
  if (chance < 0.2) return { body: pick(BROKEN), headers }
  const id = roll() < 0.8 ? '1' : pick(IDS)
  const message = (method: string, params: string): McpRequest => ({
    body: Buffer.from(`{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${params}}`),
    headers,
  })
  if (chance < 0.4)
    return message(pick(METHODS), pick(['{}', '{"name":5}', '{"uri":"file:///etc/passwd"}', `{"name":${pick(VALUES)}}`, ...VALUES]))
  return message('tools/call', callOf(world, roll, pick))
}

const callOf = ({ tools, names, mints }: McpWorld, roll: () => number, pick: Pick): string => {
  const values = [...VALUES, ...mints.map((mint) => `"${mint}"`), JSON.stringify(mints), '3']
  const args = Array.from({ length: Math.floor(roll() * 3) }, () => `"${pick([...names, 'limti', '__proto__'])}":${pick(values)}`)
  const name = roll() < 0.9 ? JSON.stringify(pick(tools)) : pick(VALUES)
  const given = roll() < 0.9 ? `{${args.join(',')}}` : pick(VALUES)
  const meta = roll() < 0.5 ? '' : `,"_meta":${roll() < 0.8 ? `{"x402/payment":${pick([...VALUES, ...PAYMENTS])}}` : pick(VALUES)}`
  return `{"name":${name},"arguments":${given}${meta}${roll() < 0.05 ? ',"task":{"ttl":1}' : ''}}`
}

const STATUSES: ReadonlySet<number> = new Set([200, 202, 400, 413])
const INTERNAL = -32_603
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** How the answer violates JSON-RPC or the published schemas; undefined if it does not. */
export const mcpFault = ({ status, type, body }: Answered): string | undefined => {
  if (!STATUSES.has(status)) return `is not a status of MCP: ${body.slice(0, 200)}`
  if (status === 202) return body === '' ? undefined : 'a notification has an answer'
  if (!type.startsWith('application/json')) return `is ${type}`
  const answer = JSON.parse(body) as Json
  if (status === 413) return faultsAs('Refusal', answer)[0]
  if (answer.jsonrpc !== '2.0') return 'is not JSON-RPC 2.0'
  const { error, result } = answer
  if (isObject(error)) return typeof error.message !== 'string' || error.code === INTERNAL ? `fails: ${body.slice(0, 300)}` : undefined
  if (!isObject(result)) return 'has neither result nor error'
  return Array.isArray(result.content) ? resultFault(result) : undefined
}

const resultFault = ({ isError, content, structuredContent }: Json): string | undefined => {
  const [first] = content as readonly { readonly text: string }[]
  const structured: unknown = JSON.parse(first?.text ?? 'null')
  if (!isObject(structured)) return 'its text is no JSON object'
  if (structuredContent !== undefined && JSON.stringify(structuredContent) !== JSON.stringify(structured))
    return 'text and structure differ'
  if (isError !== true)
    return structured.ok === true || 'x402Version' in structured || 'openapi' in structured
      ? undefined
      : 'is neither an error nor a success'
  if ('accepts' in structured) return faultsAs('PaymentRequired', structured)[0]
  if (structured.error === 'internal_error') return 'is an internal error'
  return structured.ok === false && typeof structured.hint === 'string' && structured.hint !== '' ? undefined : 'is an error without a hint'
}
