// A small HTTP server for JSON: clients call the sandbox through it as they would call a real facilitator and a
// real node. Web pages cannot.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { isIPv6 } from 'node:net'
import { EngineError } from '../../schemas/errors.ts'
import { mayBeFromPage, refusedPage } from '../ports/from-page.ts'
import { isLoopback } from '../ports/loopback.ts'

const BODY_BYTES_MAX = 64 * 1024
const CONNECTIONS_MAX = 256
const REQUEST_MS_MAX = 10_000

export interface JsonAnswer {
  readonly status: number
  readonly body: unknown
}

const FROM_PAGE: JsonAnswer = { status: 403, body: { error: refusedPage('the option --hosts of `mintfold sandbox`') } }
const NOT_JSON_TYPE: JsonAnswer = { status: 415, body: { error: 'send Content-Type: application/json' } }

/** Handles a path; `body` is parsed JSON, undefined for GET. */
export type JsonRoute = (body: unknown) => Promise<JsonAnswer> | JsonAnswer

type Routes = Readonly<Record<string, JsonRoute>>

export interface JsonServer {
  /** `http://host:port`. */
  readonly origin: string
  /** Closes open connections too. */
  close(): Promise<void>
}

export interface JsonPlace {
  readonly host: string
  /** 0 means a free port. */
  readonly port: number
  /** True if it may listen on hosts other than loopback. */
  readonly anyHost: boolean
  /** Host names under which clients may address it, besides addresses, localhost and the machine's name. */
  readonly names: readonly string[]
}

/**
 * @param routes by `METHOD /path`.
 * @throws EngineError `not_loopback`, or `port_in_use`.
 */
export const serveJson = async (routes: Routes, { host, port, anyHost, names }: JsonPlace): Promise<JsonServer> => {
  if (!anyHost && !isLoopback(host)) {
    const message = `the sandbox would listen on ${host}: its money is not real, so it listens on loopback only. Use 127.0.0.1.`
    throw new EngineError('not_loopback', message, { facts: { host } })
  }
  const server = createServer({ requestTimeout: REQUEST_MS_MAX, headersTimeout: REQUEST_MS_MAX }, (request, response) => {
    respond(routes, names, request, response).catch(() => response.destroy())
  })
  server.maxConnections = CONNECTIONS_MAX
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const message = `port ${port} on ${host} cannot be used for the sandbox (${cause.code ?? cause.message}). Free it or choose another.`
      reject(new EngineError('port_in_use', message, { facts: { host, port }, cause }))
    })
    server.listen(port, host, resolve)
  })
  const address = server.address()
  const taken = typeof address === 'object' && address !== null ? address.port : port
  return {
    origin: `http://${originHost(host)}:${taken}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The loopback address if the server listens on all interfaces. */
const originHost = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return isIPv6(host) ? `[${host}]` : host
}

const respond = async (routes: Routes, names: readonly string[], request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { status, body } = mayBeFromPage(request.headers, names) ? FROM_PAGE : await answer(routes, request)
  const json = JSON.stringify(body, (_key, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) }).end(json)
}

const answer = async (routes: Routes, request: IncomingMessage): Promise<JsonAnswer> => {
  const route = routes[`${request.method} ${request.url}`]
  if (route === undefined) return { status: 404, body: { error: 'not found' } }
  if (request.method === 'GET') return route(undefined)
  // A page needs nobody's consent to send other types.
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) return NOT_JSON_TYPE
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) return { status: 413, body: { error: `more than ${BODY_BYTES_MAX} bytes` } }
    chunks.push(chunk)
  }
  let body: unknown
  try {
    body = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return { status: 400, body: { error: 'not JSON' } }
  }
  return route(body)
}
