// The HTTP server around the app: limits that stand before Koa, the port, and an end that lets answers finish.
import type { Server, ServerOptions } from 'node:http'
import { createServer } from 'node:http'
import { type AddressInfo, isIPv6, type Socket } from 'node:net'
import type Koa from 'koa'
import { EngineError } from '../../schemas/errors.ts'
import { callerKey, canonicalAddress, TrustedProxies } from './caller-address.ts'
import {
  CONNECTIONS_MAX,
  CONNECTIONS_PER_ADDRESS_MIN,
  HEADER_BYTES_MAX,
  HEADERS_MS_MAX,
  KEEP_ALIVE_MS_MAX,
  REQUEST_MS_MAX,
  SLOW_LOOK_MS,
  SOCKET_IDLE_MS_MAX,
} from './http-limits.ts'

const DRAIN_POLL_MS = 20

/** How Node reads requests: limits on headers and on slow senders. */
export const serverOptions: ServerOptions = {
  maxHeaderSize: HEADER_BYTES_MAX,
  headersTimeout: HEADERS_MS_MAX,
  requestTimeout: REQUEST_MS_MAX,
  keepAliveTimeout: KEEP_ALIVE_MS_MAX,
  connectionsCheckingInterval: SLOW_LOOK_MS,
  insecureHTTPParser: false,
  noDelay: true,
}

export interface Serving {
  /** `http://host:port` with the port that was taken. */
  readonly url: string
  /** Takes no new connection, lets requests under way end for at most `withinMs`, then cuts what is left. */
  close(withinMs: number): Promise<void>
}

export interface Place {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** Their connections carry those of many callers. */
  readonly proxies?: TrustedProxies
  /** Of one address that is no proxy. */
  readonly connectionsPerAddressMax?: number
}

/** Listens. @throws EngineError `port_in_use`, `cannot_listen`. */
export const serve = async (app: Koa, { host, port, ...limits }: Place): Promise<Serving> => {
  const server = createServer(serverOptions, app.callback())
  server.maxConnections = CONNECTIONS_MAX
  server.timeout = SOCKET_IDLE_MS_MAX
  server.on('clientError', refuseUnreadable)
  limitConnections(server, limits)
  await listen(server, host, port)
  const { port: taken } = server.address() as AddressInfo
  return { url: `http://${isIPv6(host) ? `[${host}]` : host}:${taken}`, close: (withinMs) => drain(server, withinMs) }
}

/** So many for so many requests a minute, in all at most what there is. */
export const connectionsFor = (perMinute: number): number => Math.min(CONNECTIONS_MAX, Math.max(CONNECTIONS_PER_ADDRESS_MIN, perMinute))

/** More of one address are closed unanswered, as more in all are. */
const limitConnections = (server: Server, limits: Omit<Place, 'host' | 'port'>): void => {
  const { proxies = new TrustedProxies([]), connectionsPerAddressMax = CONNECTIONS_PER_ADDRESS_MIN } = limits
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const address = canonicalAddress(socket.remoteAddress ?? '') ?? ''
    if (proxies.trusts(address)) return
    const key = callerKey(address)
    const here = (open.get(key) ?? 0) + 1
    if (here > connectionsPerAddressMax) return void socket.destroy()
    open.set(key, here)
    socket.once('close', () => {
      const left = (open.get(key) ?? 1) - 1
      if (left > 0) open.set(key, left)
      else open.delete(key)
    })
  })
}

const listen = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => reject(listenError(error, host, port))
    server.once('error', failed)
    server.listen(port, host, () => {
      server.off('error', failed)
      resolve()
    })
  })

const listenError = (cause: NodeJS.ErrnoException, host: string, port: number): EngineError => {
  const facts = { host, port, errno: cause.code ?? 'unknown' }
  return cause.code === 'EADDRINUSE'
    ? new EngineError('port_in_use', `port ${port} on ${host} is taken: stop what uses it, or set MINTFOLD_PORT (0 takes a free one)`, {
        facts,
        cause,
      })
    : new EngineError('cannot_listen', `cannot listen on ${host} port ${port} (${facts.errno}): set MINTFOLD_HOST and MINTFOLD_PORT`, {
        facts,
        cause,
      })
}

const drain = async (server: Server, withinMs: number): Promise<void> => {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const idle = setInterval(() => server.closeIdleConnections(), DRAIN_POLL_MS)
  const cut = setTimeout(() => server.closeAllConnections(), withinMs)
  await closed
  clearInterval(idle)
  clearTimeout(cut)
}

const UNREADABLE: Readonly<Record<string, readonly [line: string, error: string, hint: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'headers_too_large', `headers take at most ${HEADER_BYTES_MAX} bytes`],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'request_timeout', 'the request did not arrive in time'],
}
const BAD_REQUEST = ['400 Bad Request', 'bad_request', 'the request is not HTTP/1.1 as this service reads it'] as const

/** What never became a request is told in the same JSON shape. */
const refuseUnreadable = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const [line, code, hint] = UNREADABLE[error.code ?? ''] ?? BAD_REQUEST
  const body = JSON.stringify({ ok: false, error: code, hint })
  socket.end(
    `HTTP/1.1 ${line}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
}
