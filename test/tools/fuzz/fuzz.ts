// Fuzzes the API with valid and invalid requests generated from /openapi.json; each must be answered as published.
import { faultsAs } from '../shapes/check.ts'
import { type Answered, ask } from './ask.ts'
import { mcpFault, mcpRequest } from './mcp-bodies.ts'

type Json = Readonly<Record<string, unknown>>
interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly schema: Json
}
interface Response {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>
}
type Responses = Readonly<Record<string, Response>>
interface Operation {
  readonly parameters: readonly Parameter[]
  readonly responses: Responses
}
export interface Description {
  readonly components: { readonly responses: Responses }
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>
}

export interface FuzzOptions {
  /** `http://127.0.0.1:port`. */
  readonly baseUrl: string
  readonly requests: number
  readonly seed: number
  /** Addresses of mints in the market. */
  readonly mints: readonly string[]
  /** Names of MCP tools. */
  readonly tools: readonly string[]
}

export interface FuzzReport {
  /** Number of answers by status; 0: the connection was closed because the request was not HTTP. */
  readonly statuses: Readonly<Record<number, number>>
  /** The same for MCP messages, of which there are a fifth as many. */
  readonly mcp: Readonly<Record<number, number>>
  /** The first few answers that differ from the published description, with their requests. */
  readonly faults: readonly string[]
}

const FAULTS_MAX = 20
/** Statuses that every path may return: from the HTTP server, or for methods and headers that no operation describes. */
const ANYWHERE: ReadonlySet<number> = new Set([400, 405, 408, 413, 414, 415, 431])

const BODY = Buffer.from('hello')

/** mulberry32: the same requests for the same seed. */
const dice = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const JUNK = [
  '',
  ' ',
  '0',
  '-1',
  '1e309',
  'NaN',
  '٣',
  'true',
  'null',
  '%00',
  '%ff%fe',
  '../..',
  '{mint}',
  '[]',
  '"',
  "'; --",
  '\u202e',
  '💥',
  'x'.repeat(300),
  'A'.repeat(1_025),
  '1,1',
  ',,,',
]
const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['PAYMENT-SIGNATURE', 'e30='],
  ['PAYMENT-SIGNATURE', '!!!'],
  ['PAYMENT-SIGNATURE', Buffer.from('{"x402Version":1}').toString('base64')],
  ['PAYMENT-SIGNATURE', 'A'.repeat(11_000)],
  ['X-PAYMENT', 'e30='],
  ['Accept', '*/*;q=0, text/nothing'],
  ['Accept-Encoding', 'br;q=1, gzip;q=0.1, zstd'],
  ['Accept-Encoding', '\u00ff\u00fe'],
  ['If-None-Match', '*'],
  ['If-None-Match', `W/"${'x'.repeat(2_000)}"`],
  ['Range', 'bytes=0-10'],
  ['Origin', 'null'],
  ['Host', 'evil.example'],
  ['X-Forwarded-For', '1.2.3.4, ::1, [::ffff:10.0.0.1]:80, x'],
  ['X-Request-Id', 'a b\tc'],
  ['Content-Length', '5'],
  ['Content-Type', 'application/json; charset=utf-16'],
  ['Expect', '100-continue'],
  ['Cookie', 'a=b; '.repeat(1_000)],
  ['X-Big', 'y'.repeat(20_000)],
]
const METHODS = ['GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']

export const fuzz = async (description: Description, { baseUrl, requests, seed, mints, tools }: FuzzOptions): Promise<FuzzReport> => {
  const roll = dice(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(roll() * list.length)] as T
  const statuses: Record<number, number> = {}
  const mcp: Record<number, number> = {}
  const faults: string[] = []
  const found = (what: string): void => void (faults.length < FAULTS_MAX && faults.push(what))
  // Leaves out streams, which do not end.
  const operations = Object.entries(description.paths).filter(
    ([, { get }]) => get.responses['200']?.content?.['text/event-stream'] === undefined,
  )
  for (let n = 0; n < requests; n += 1) {
    const [path, { get }] = pick(operations)
    const target = targetOf(path, get, mints, roll, pick)
    const method = pick(METHODS)
    const headers = Object.fromEntries(Array.from({ length: Math.floor(roll() * 3) }, () => pick(HEADERS)))
    const answer = await ask(baseUrl, method, target, headers, headers['Content-Length'] === undefined ? undefined : BODY)
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    const wrong = faultOf(get, description.components.responses, method, answer)
    if (wrong !== undefined) found(`${method} ${target.slice(0, 200)} ${JSON.stringify(headers).slice(0, 200)}: ${answer.status} ${wrong}`)
  }
  const names = operations.flatMap(([, { get }]) => get.parameters.map(({ name }) => name))
  for (let n = 0; n < requests / 5; n += 1) {
    const { body, headers } = mcpRequest({ tools, names, mints }, roll, pick)
    const answer = await ask(baseUrl, 'POST', '/mcp', { 'Content-Type': 'application/json', ...headers }, body)
    mcp[answer.status] = (mcp[answer.status] ?? 0) + 1
    const wrong = mcpFault(answer)
    if (wrong !== undefined)
      found(`MCP ${body.toString('utf8').slice(0, 300)} ${JSON.stringify(headers).slice(0, 100)}: ${answer.status} ${wrong}`)
  }
  return { statuses, mcp, faults }
}

type Pick = <T>(list: readonly T[]) => T

/** A valid value, one at a bound, one beyond it, or junk. */
const textFor = ({ name, schema }: Parameter, mints: readonly string[], roll: () => number, pick: Pick): string => {
  const chance = roll()
  if (chance < 0.15) return pick(JUNK)
  const { type, minimum, maximum } = schema as { type?: string; minimum?: number; maximum?: number }
  if (type === 'boolean') return pick(['true', 'false', '1', 'off', 'maybe'])
  if (type === 'integer' || type === 'number') {
    const [low, high] = [minimum ?? 0, maximum ?? 1e6]
    return String(pick([low, high, low - 1, high + 1, Math.floor(low + roll() * (high - low)), low + 0.5]))
  }
  const one = (): string => pick([...mints, '11111111111111111111111111111111', 'So11111111111111111111111111111111111111112', '0OIl'])
  return name === 'mints' ? Array.from({ length: Math.floor(roll() * 7) }, one).join(',') : one()
}

const targetOf = (path: string, { parameters }: Operation, mints: readonly string[], roll: () => number, pick: Pick): string => {
  let at = path
  const query: string[] = []
  const encoded = (text: string): string => (roll() < 0.9 ? encodeURIComponent(text) : text.replaceAll(/[^\x21-\x7e]|[#?]/g, ''))
  for (const parameter of parameters) {
    const value = encoded(textFor(parameter, mints, roll, pick))
    if (parameter.in === 'path') at = roll() < 0.05 ? at : at.replace(`{${parameter.name}}`, value)
    else if (parameter.required ? roll() < 0.9 : roll() < 0.4) query.push(`${parameter.name}=${value}`)
  }
  if (roll() < 0.05) query.push(pick(query.length > 0 ? query : ['x=1']))
  if (roll() < 0.03) at = `${at}/`
  if (roll() < 0.02) query.push(`pad=${'z'.repeat(5_000)}`)
  return query.length === 0 ? at : `${at}?${query.join('&')}`
}

/** How the answer differs from the published description; undefined if it does not. */
const faultOf = ({ responses }: Operation, shared: Responses, method: string, { status, type, body }: Answered): string | undefined => {
  if (status === 0 || status === 204 || status === 304) return undefined
  if (status >= 500) return `is an internal error: ${body.slice(0, 200)}`
  // Other methods are not described; every answer below 500 is valid.
  if (method !== 'GET') return undefined
  const given = responses[String(status)]
  const response = given?.$ref === undefined ? given : shared[given.$ref.split('/').at(-1) ?? '']
  if (response === undefined && !ANYWHERE.has(status) && status !== 404) return 'is not a published status of this path'
  if (body === '') return undefined
  if (!type.startsWith('application/json'))
    return status === 200 && response?.content?.['application/json'] === undefined ? undefined : `is ${type}`
  const name = response?.content?.['application/json']?.schema.$ref?.split('/').at(-1) ?? (status === 200 ? undefined : 'Refusal')
  const wrong = name === undefined ? [] : faultsAs(name, JSON.parse(body))
  return wrong.length === 0 ? undefined : `is not a valid ${name}: ${wrong.slice(0, 3).join('; ')} in ${body.slice(0, 200)}`
}
