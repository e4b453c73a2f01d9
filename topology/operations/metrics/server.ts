// Serves metrics to Prometheus: one page on an address and port of its own, separate from the API.
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Counter, collectDefaultMetrics, Registry } from 'prom-client'
import { EngineError } from '../../../schemas/errors.ts'
import { mayBeFromPage, refusedPage } from '../../ports/from-page.ts'

const PATH = '/metrics'
const REQUEST_MS_MAX = 5_000
const CONNECTIONS_MAX = 32

/** A registry with Node's process metrics, labelled with the role. */
export const createRegistry = (role: string, version: string): Registry => {
  const registry = new Registry()
  registry.setDefaultLabels({ role })
  collectDefaultMetrics({ register: registry })
  new Counter({
    name: 'mintfold_info',
    help: 'Always 1; the labels are the running version and role.',
    labelNames: ['version'],
    registers: [registry],
  }).inc({
    version,
  })
  return registry
}

/** Codes that alerts use: their counters start at zero, so that `increase()` also counts the first notice. */
const ALERTED = ['limits_in_memory'] as const

/** Returns a function that counts notices by code. */
export const noticeCounter = (registry: Registry): ((code: string) => void) => {
  const notices = new Counter({
    name: 'mintfold_notices_total',
    help: 'Notices by code; a notice reports that a problem began or ended.',
    labelNames: ['code'],
    registers: [registry],
  })
  for (const code of ALERTED) notices.inc({ code }, 0)
  return (code) => notices.inc({ code })
}

export interface MetricsPort {
  /** Address to listen on: loopback, unless a supervisor or Prometheus of another machine reads the page. */
  readonly host: string
  readonly port: number
  /** True if the user chose the port. If the default port is in use, a free one is used instead. */
  readonly isSet: boolean
  /** Host names under which Prometheus may address the page, besides addresses, localhost and the machine's name. */
  readonly names: readonly string[]
}

export interface MetricsServer {
  /** `http://HOST:port/metrics`. */
  readonly url: string
  close(): Promise<void>
}

/** @throws EngineError `port_in_use` */
export const serveMetrics = async (registry: Registry, { host, port, isSet, names }: MetricsPort): Promise<MetricsServer> => {
  const server = createServer({ requestTimeout: REQUEST_MS_MAX, headersTimeout: REQUEST_MS_MAX }, (request, response) => {
    if (mayBeFromPage(request.headers, [host, ...names])) refuse(response, 403, refusedPage('MINTFOLD_METRICS_HOSTS'))
    else if (request.url === PATH && (request.method === 'GET' || request.method === 'HEAD')) void respond(registry, response)
    else refuse(response, 404, `only ${PATH} is served here`)
  })
  server.maxConnections = CONNECTIONS_MAX
  const failure = await listen(server, host, port)
  if (failure !== undefined && (isSet || failure.code !== 'EADDRINUSE' || (await listen(server, host, 0)) !== undefined))
    throw taken(failure, host, port)
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}${PATH}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const refuse = (response: ServerResponse, status: number, words: string): void => {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${words}\n`)
}

const respond = async (registry: Registry, response: ServerResponse): Promise<void> => {
  try {
    const text = await registry.metrics()
    response.writeHead(200, { 'content-type': registry.contentType }).end(text)
  } catch {
    response.writeHead(500).end()
  }
}

const listen = (server: Server, host: string, port: number): Promise<NodeJS.ErrnoException | undefined> =>
  new Promise((resolve) => {
    server.once('error', resolve)
    server.listen(port, host, () => {
      server.off('error', resolve)
      resolve(undefined)
    })
  })

const taken = (cause: NodeJS.ErrnoException, host: string, port: number): EngineError =>
  new EngineError(
    'port_in_use',
    `port ${port} on ${host} cannot be used for metrics (${cause.code ?? cause.message}): stop the program that uses it, or choose another port with MINTFOLD_METRICS_PORT (address: MINTFOLD_METRICS_HOST)`,
    { facts: { host, port }, cause },
  )
