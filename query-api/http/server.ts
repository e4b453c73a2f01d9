// The HTTP server of the app: limits before Koa, listening, and graceful shutdown.
import type { Server, ServerOptions } from 'node:http'
import { createServer } from 'node:http'
import { type AddressInfo, isIPv6, type Socket } from 'node:net'
import type Koa from 'koa'
import { EngineError } from '../../schemas/errors.ts'
import { TrustedProxies } from './caller-address.ts'
import { Connections } from './connections.ts'
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

/** Node's limits on headers and slow senders. */
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
  /** `http://host:port` with the actual port. */
  readonly url: string
  /** Stops accepting connections, awaits requests in progress for at most `withinMs`, then closes the rest. */
  close(withinMs: number): Promise<void>
}

export interface ListenOptions {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** Not subject to the limit of connections per address, because a proxy opens connections for many callers. */
  readonly proxies?: TrustedProxies
  /** Does not apply to `proxies`. */
  readonly connectionsPerAddressMax?: number
  /** Of all callers and proxies together. */
  readonly connectionsMax?: number
}

/** Listens. @throws EngineError `port_in_use`, `cannot_listen`. */
export const serve = async (app: Koa, { host, port, ...limits }: ListenOptions): Promise<Serving> => {
  const server = createServer(serverOptions, app.callback())
  server.timeout = SOCKET_IDLE_MS_MAX
  server.on('clientError', refuseUnreadable)
  new Connections(server, {
    proxies: limits.proxies ?? new TrustedProxies([]),
    perAddressMax: limits.connectionsPerAddressMax ?? CONNECTIONS_PER_ADDRESS_MIN,
    max: limits.connectionsMax ?? CONNECTIONS_MAX,
  })
  await listen(server, host, port)
  const { port: taken } = server.address() as AddressInfo
  return { url: `http://${isIPv6(host) ? `[${host}]` : host}:${taken}`, close: (withinMs) => drain(server, withinMs) }
}

/** The connection limit per address for a request rate, at most the total limit. */
export const connectionsFor = (perMinute: number): number => Math.min(CONNECTIONS_MAX, Math.max(CONNECTIONS_PER_ADDRESS_MIN, perMinute))

const listen = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => reject(listenError(error, host, port))
    server.once('error', failed)
    server.listen(port, host, () => {
      server.off('error', failed)
      resolve()
    })
  })

/** The error when this process cannot listen on an address. */
export const listenError = (cause: NodeJS.ErrnoException, host: string, port: number): EngineError => {
  const facts = { host, port, errno: cause.code ?? 'unknown' }
  return cause.code === 'EADDRINUSE'
    ? new EngineError(
        'port_in_use',
        `port ${port} on ${host} is in use: stop the program that uses it, or set MINTFOLD_PORT (0: any free port); to run beside ` +
          'another mintfold, also set MINTFOLD_DATA_DIR and MINTFOLD_CLICKHOUSE_PORT',
        { facts, cause },
      )
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
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'headers_too_large', `headers can have at most ${HEADER_BYTES_MAX} bytes`],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'request_timeout', 'the request did not arrive in time'],
}
const BAD_REQUEST = ['400 Bad Request', 'bad_request', 'the request is not valid HTTP/1.1'] as const

/** Answers invalid HTTP in the shape of refusals. */
const refuseUnreadable = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const [line, code, hint] = UNREADABLE[error.code ?? ''] ?? BAD_REQUEST
  const body = JSON.stringify({ ok: false, error: code, hint })
  socket.end(
    `HTTP/1.1 ${line}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
}
