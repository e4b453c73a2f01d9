// `/mcp`: streamable HTTP without sessions, with JSON answers. The endpoint uses web `Request` and `Response`; Koa sends the result, so the
// limits, headers and errors of the other routes apply.
import type { IncomingMessage } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { Context, Middleware } from 'koa'
import * as z from 'zod'
import { isLoopback } from '../../topology/ports/loopback.ts'
import { send, sendMethods } from '../http/send.ts'
import { parseJson } from '../payment/json.ts'
import { type Answer, refusal } from '../questions/bodies.ts'
import { MCP_BODY_BYTES_MAX, MCP_PATH } from '../questions/limits.ts'
import type { McpCall } from './endpoint.ts'
import { paymentIn } from './results.ts'
import type { McpOptions } from './server.ts'

const ONLY_POST = `${MCP_PATH} accepts POST: streamable HTTP without sessions, JSON answers`
const FOREIGN = refusal(
  403,
  'foreign_origin',
  'this server accepts requests from this machine only: the headers Host and Origin must name loopback',
)
const TOO_LARGE = refusal(413, 'body_too_large', `${MCP_PATH} accepts at most ${MCP_BODY_BYTES_MAX} bytes`, { Connection: 'close' })
const SIZE = { maxOutputLength: MCP_BODY_BYTES_MAX }
const UNPACK = new Map<string, (packed: Buffer) => Buffer>([
  ['', (bytes) => bytes],
  ['gzip', (packed) => gunzipSync(packed, SIZE)],
  ['deflate', (packed) => inflateSync(packed, SIZE)],
  ['br', (packed) => brotliDecompressSync(packed, SIZE)],
])
const ENCODINGS = [...UNPACK.keys()].filter((name) => name !== '').join(', ')
const ENCODED = refusal(415, 'encoding_not_supported', `${MCP_PATH} accepts a body uncompressed or as ${ENCODINGS}`, {
  'Accept-Encoding': ENCODINGS,
})
const STANDARD_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const
const rpcError = (code: number, message: string) => ({
  status: 400,
  body: JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }),
})
const NOT_JSON = rpcError(-32700, 'Parse error: the body is not JSON in UTF-8')
const BATCH = rpcError(-32600, 'Invalid Request: send one message per request; batches are not supported')
const NO_MESSAGE = rpcError(-32600, 'Invalid Request: a message must be a JSON object')

export const mcp = (options: McpOptions): Middleware => {
  const { limit, service } = options
  const { baseUrl } = service.options
  const answer = fromFirstCall(options)
  const isLocal = namesLoopback(baseUrl)
  return async (ctx, next) => {
    if (ctx.path !== MCP_PATH) return next()
    if (ctx.method !== 'POST') return sendMethods(ctx, 'POST', ONLY_POST)
    const read = isLocal && isForeign(ctx) ? FOREIGN : await readMessage(ctx)
    const limited = (await limit?.(ctx.ip, 'message' in read ? paymentOf(read.message) : undefined)) ?? null
    if (limited !== null) return send(ctx, limited)
    if (!('message' in read)) return send(ctx, read)
    const { message } = read
    const response = await answer({ message, headers: headersOf(ctx), callerAddress: ctx.ip })
    const type = response.headers.get('content-type')
    ctx.status = response.status
    if (type !== null) ctx.set('Content-Type', type)
    ctx.set('Cache-Control', 'no-store')
    ctx.body = await response.text()
  }
}

/** The one message of the body, or a refusal. */
const readMessage = async (ctx: Context): Promise<{ readonly message: object } | Answer> => {
  const unpack = UNPACK.get(ctx.get('content-encoding').toLowerCase())
  if (unpack === undefined) return ENCODED
  const bytes = await readBytes(ctx.req, Number(ctx.get('content-length') || 0))
  if (bytes === undefined) return TOO_LARGE
  const plain = unpacked(unpack, bytes)
  if (!Buffer.isBuffer(plain)) return plain
  const message = parseJson(plain.toString('utf8'))
  if (message === undefined) return NOT_JSON
  if (Array.isArray(message)) return BATCH
  return typeof message === 'object' && message !== null ? { message } : NO_MESSAGE
}

const unpacked = (unpack: (packed: Buffer) => Buffer, bytes: Buffer): Buffer | Answer => {
  try {
    return unpack(bytes)
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? TOO_LARGE : NOT_JSON
  }
}

const paidCall = z.object({ method: z.literal('tools/call'), params: z.object({ _meta: z.record(z.string(), z.unknown()) }) })
const paymentOf = (message: unknown): string | object | undefined => {
  const call = paidCall.safeParse(message)
  return call.success ? paymentIn(call.data.params._meta) : undefined
}

/** Imports the MCP library at the first call, because the import takes 0.3 s and would delay startup. */
const fromFirstCall = (options: McpOptions): ((call: McpCall) => Promise<Response>) => {
  let made: Promise<(call: McpCall) => Promise<Response>> | undefined
  return async (call) => {
    made ??= import('./endpoint.ts').then(({ mcpEndpoint }) => mcpEndpoint(options))
    return (await made)(call)
  }
}

/** Sets `accept` to both types, which the transport requires; the answer is always JSON. */
const headersOf = (ctx: Context): Record<string, string> => {
  const sent = STANDARD_HEADERS.map((name) => [name, ctx.get(name)] as const).filter(([, value]) => value !== '')
  return { ...Object.fromEntries(sent), accept: 'application/json, text/event-stream', 'content-type': ctx.get('content-type') }
}

/** Detects DNS rebinding: a foreign page that reaches loopback through its own name has a foreign Host or Origin. Browsers send a Host. */
const isForeign = (ctx: Context): boolean => {
  const [host, origin] = [ctx.get('host'), ctx.get('origin')]
  return (host !== '' && !namesLoopback(`http://${host}`)) || (origin !== '' && !namesLoopback(origin))
}

const namesLoopback = (url: string): boolean => {
  if (!URL.canParse(url)) return false
  return isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ''))
}

/** Undefined if the body is too large or the caller disconnected; the rest is not read. */
const readBytes = (request: IncomingMessage, declaredBytes: number): Promise<Buffer | undefined> => {
  if (declaredBytes > MCP_BODY_BYTES_MAX) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= MCP_BODY_BYTES_MAX) chunks.push(chunk)
      else {
        request.pause()
        resolve(undefined)
      }
    })
    request.once('end', () => resolve(Buffer.concat(chunks)))
    request.once('error', () => resolve(undefined))
  })
}
