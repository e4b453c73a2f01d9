// A reverse proxy that fails once the server has the request, as the client asks it to. Simulates no wrong bytes and no slow network.
import { Agent, createServer, request as forward, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { startLocal } from '../tools/local-server.ts'

/**
 * `dies`: ends both connections `ms` after the request. `loses`: ends the client's connection when the answer arrives. `truncates`: sends half
 * of the answer. `delays`: sends it `ms` late. `repeats`: sends the request again after `ms`, and the client the answer to the second.
 */
export const PROXY_FAULTS = ['none', 'dies', 'loses', 'truncates', 'delays', 'repeats'] as const
export type ProxyFault = (typeof PROXY_FAULTS)[number]

/** Headers of a request that choose its fault; the server does not receive them. */
export const faultHeaders = (fault: ProxyFault, ms: number): Record<string, string> => ({ 'x-fault': fault, 'x-fault-ms': String(ms) })

export interface FaultyProxy {
  readonly url: string
  close(): Promise<void>
}

/** @param target port of the server on loopback. */
export const startFaultyProxy = async (target: number): Promise<FaultyProxy> => {
  const agent = new Agent({ keepAlive: true })
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy())
  })
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { 'x-fault': fault = 'none', 'x-fault-ms': givenMs = '0', ...headers } = request.headers
    const [body, ms] = [await buffer(request), Number(givenMs)]
    const send = (signal?: AbortSignal): Promise<Answer> => answerOf(target, { agent, signal }, request, headers, body)
    if (fault === 'dies') {
      await send(AbortSignal.timeout(ms)).catch(() => undefined)
      return void response.destroy()
    }
    const first = send()
    if (fault === 'repeats') {
      first.catch(() => undefined)
      await pause(ms)
    }
    const { status, headers: sent, body: whole } = await (fault === 'repeats' ? send() : first)
    if (fault === 'loses') return void response.destroy()
    if (fault === 'delays') await pause(ms)
    response.writeHead(status, { ...sent, 'content-length': whole.length })
    if (fault !== 'truncates') return void response.end(whole)
    response.write(whole.subarray(0, whole.length / 2), () => response.destroy())
  }
  const { url, close } = await startLocal(server)
  return {
    url,
    close: async () => {
      await close()
      agent.destroy()
    },
  }
}

interface Answer {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly body: Buffer
}

const answerOf = (
  port: number,
  options: { readonly agent: Agent; readonly signal?: AbortSignal | undefined },
  { method, url: path }: IncomingMessage,
  headers: OutgoingHttpHeaders,
  sent: Buffer,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { 'transfer-encoding': _chunked, connection: _connection, ...others } = headers
    const end = { ...others, ...(sent.length > 0 && { 'content-length': sent.length }) }
    const { agent, signal } = options
    forward({ host: '127.0.0.1', port, path, method, headers: end, agent, ...(signal && { signal }) }, (answer) => {
      const { 'transfer-encoding': _, connection: __, ...kept } = answer.headers
      buffer(answer).then((body) => resolve({ status: answer.statusCode ?? 502, headers: kept, body }), reject)
    })
      .on('error', reject)
      .end(sent)
  })
