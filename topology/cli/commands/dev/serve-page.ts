// Serves the page of `dev` on the loopback address: it makes no outgoing request and refuses other host names.
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { EngineError } from '../../../../schemas/errors.ts'
import { isOwnHost } from '../../../ports/from-page.ts'

const HOST = '127.0.0.1'
const CONNECTIONS_MAX = 64
/** Minimum interval between updates of a browser. */
const EVERY_MS = 150
/** Interval of the keep-alive comment on event streams. */
const ALIVE_MS = 15_000

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const HEADERS = {
  'Content-Security-Policy': POLICY,
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

export interface DevPage {
  readonly url: string
  /** Notifies browsers that the shown content changed. */
  changed(): void
  close(): Promise<void>
}

interface PageOptions {
  readonly port: number
  /** `document`: the whole page; `main`: the part of it that changes. */
  document(): string
  main(): string
}

const assetOf = (name: string, type: string) => ({ type, body: readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8') })

/** @throws EngineError `port_in_use`, `cannot_listen` */
export const servePage = async ({ port, document, main }: PageOptions): Promise<DevPage> => {
  const readers = new Set<ServerResponse>()
  /** Browsers whose buffer is full: they get only the newest state when it drains. */
  const late = new Set<ServerResponse>()
  const assets = new Map([
    ['/dev.css', assetOf('dev.css', 'text/css; charset=utf-8')],
    ['/dev.js', assetOf('dev.js', 'text/javascript; charset=utf-8')],
  ])
  const listenTo = (response: ServerResponse): void => {
    response.writeHead(200, { ...HEADERS, 'Content-Type': 'text/event-stream' })
    response.write(eventOf(main()))
    readers.add(response)
    response.on('drain', () => {
      if (late.delete(response)) response.write(eventOf(main()))
    })
    response.on('close', () => {
      readers.delete(response)
      late.delete(response)
    })
  }
  const server = createServer((request, response) => {
    const refusal = refusalOf(request)
    const { pathname } = new URL(request.url ?? '/', `http://${HOST}`)
    const found = pathname === '/' ? { type: 'text/html; charset=utf-8', body: document } : assets.get(pathname)
    if (refusal !== undefined) send(response, refusal[0], 'text/plain; charset=utf-8', `${refusal[1]}\n`)
    else if (pathname === '/events') listenTo(response)
    else if (found === undefined) send(response, 404, 'text/plain; charset=utf-8', '/ is the page\n')
    else send(response, 200, found.type, typeof found.body === 'string' ? found.body : found.body())
  })
  server.maxConnections = CONNECTIONS_MAX
  await listen(server, port)
  const alive = setInterval(() => readers.forEach((reader) => void reader.write(': here\n\n')), ALIVE_MS)
  let soon: NodeJS.Timeout | undefined
  const push = (): void => {
    soon = undefined
    const event = eventOf(main())
    for (const reader of readers)
      if (reader.writableNeedDrain) late.add(reader)
      else reader.write(event)
  }
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}/`,
    changed: () => {
      if (readers.size > 0) soon ??= setTimeout(push, EVERY_MS)
    },
    close: () =>
      new Promise((resolve) => {
        clearInterval(alive)
        clearTimeout(soon)
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Refuses foreign host names (DNS rebinding): a web page could send requests to a host name that resolves to this address. */
const refusalOf = ({ method, headers: { host = '' } }: IncomingMessage): readonly [status: number, words: string] | undefined => {
  if (!isOwnHost(host)) return [421, 'open the page by its address, 127.0.0.1']
  return method === 'GET' || method === 'HEAD' ? undefined : [405, 'only GET and HEAD are supported']
}

const send = (response: ServerResponse, status: number, type: string, body: string): void => {
  response.writeHead(status, { ...HEADERS, 'Content-Type': type }).end(body)
}

const eventOf = (part: string): string => `data: ${JSON.stringify(part)}\n\n`

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const facts = { host: HOST, port, errno: cause.code ?? 'unknown' }
      const isTaken = cause.code === 'EADDRINUSE'
      const words = isTaken ? `port ${port} on ${HOST} is taken` : `cannot listen on ${HOST} port ${port} (${facts.errno})`
      reject(
        new EngineError(isTaken ? 'port_in_use' : 'cannot_listen', `${words}: use another port with --port; 0 picks a free one`, {
          facts,
          cause,
        }),
      )
    })
    server.listen(port, HOST, resolve)
  })
