// A facilitator that can misbehave: forwards requests to a real one and corrupts the responses on demand.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { startLocal } from '../../tools/local-server.ts'

/**
 * What happens to settlements from now on; `hang`, `slow` and `error-everywhere` affect all requests, `reject-verify` verifications, and
 * `pending-once` only the next settlement.
 */
export type Fault =
  | 'none'
  | 'hang'
  | 'error-everywhere'
  | 'settle-then-drop'
  | 'settle-then-hang'
  | 'settle-then-500'
  | 'refuse-500'
  | 'reject'
  | 'reject-verify'
  | 'lie-network'
  | 'lie-empty-transaction'
  | 'lie-made-up-transaction'
  | 'lie-other-transaction'
  | 'settle-then-refuse'
  | 'slow'
  | 'drop-before'
  | 'pending-once'

export interface FaultyFacilitator {
  readonly url: string
  fault: Fault
  /** How long a hang lasts until the connection is cut; undefined: forever. */
  hangMs: number | undefined
  /** Numbers of calls that arrived. */
  settles: number
  verifies: number
  /** Waits until no call is in progress, calls of clients that have gone included. A call that hangs forever does not count. */
  quiet(): Promise<void>
  close(): Promise<void>
}

/** Longer than a settlement takes, shorter than any caller waits. */
const SLOW_MS = 60
const MADE_UP = '4JJ3X1mvwS9mCjMUE6x9ykZpYswdj5tYmr47Jm6Ja11Pvu7UmaX3PKXdo8hgUj8L8h4MfYRHtSwWC4Fw6DWujHV2'

const failed = { success: false, transaction: '', network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1' }

const bytesOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const SIMULATION_FAILED = 'invalid_exact_svm_transaction_simulation_failed'

/** Responses that do not involve the real facilitator. */
const cannedAnswer = (fault: Fault, path: string | undefined): { readonly status: number; readonly body: object } | undefined => {
  if (fault === 'error-everywhere') return { status: 500, body: { error: 'upstream' } }
  if (path === '/verify' && fault === 'reject-verify') return { status: 200, body: { isValid: false, invalidReason: SIMULATION_FAILED } }
  if (path !== '/settle') return undefined
  if (fault === 'refuse-500') return { status: 500, body: { error: 'upstream' } }
  if (fault === 'reject') return { status: 200, body: { ...failed, errorReason: SIMULATION_FAILED } }
  if (fault === 'pending-once') return { status: 200, body: { ...failed, errorReason: 'settlement_pending', transaction: MADE_UP } }
  return undefined
}

export const startFaultyFacilitator = async (realUrl: string): Promise<FaultyFacilitator> => {
  let previous = MADE_UP
  const calls = new Set<Promise<void>>()
  const server = createServer((request, response) => {
    const call = pass(request, response).catch(() => void response.destroy())
    calls.add(call)
    void call.then(() => calls.delete(call))
  })
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sent = await bytesOf(request)
    const isSettle = request.url === '/settle'
    if (isSettle) facilitator.settles++
    if (request.url === '/verify') facilitator.verifies++
    const send = (status: number, body: string): void => void response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    const { fault } = facilitator
    const cut = (): void => void request.socket.destroy()
    const hang = (): Promise<void> | undefined => (facilitator.hangMs === undefined ? undefined : pause(facilitator.hangMs).then(cut))
    if (fault === 'hang') return hang()
    if (fault === 'slow') await pause(SLOW_MS)
    if (fault === 'drop-before' && isSettle) return cut()
    if (isSettle && fault === 'pending-once') facilitator.fault = 'none'
    const canned = cannedAnswer(fault, request.url)
    if (canned !== undefined) return send(canned.status, JSON.stringify(canned.body))
    const init = request.method === 'POST' ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: sent } : {}
    const real = await fetch(realUrl + request.url, init)
    const text = await real.text()
    if (!isSettle) return send(real.status, text)
    const answer = JSON.parse(text) as { transaction: string }
    switch (fault) {
      case 'settle-then-drop':
        return cut()
      case 'settle-then-hang':
        return hang()
      case 'settle-then-refuse':
        return send(200, JSON.stringify({ ...failed, errorReason: SIMULATION_FAILED }))
      case 'lie-other-transaction': {
        const { transaction } = answer
        send(200, JSON.stringify({ ...answer, transaction: previous }))
        previous = transaction
        return
      }
      case 'settle-then-500':
        return send(500, 'upstream lost')
      case 'lie-network':
        return send(200, JSON.stringify({ ...answer, network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }))
      case 'lie-empty-transaction':
        return send(200, JSON.stringify({ ...answer, transaction: '' }))
      case 'lie-made-up-transaction':
        return send(200, JSON.stringify({ ...answer, transaction: MADE_UP }))
      default:
        return send(real.status, text)
    }
  }
  const { url, close } = await startLocal(server)
  const facilitator: FaultyFacilitator = {
    url,
    fault: 'none',
    hangMs: undefined,
    settles: 0,
    verifies: 0,
    quiet: async () => {
      while (calls.size > 0) await Promise.all(calls)
    },
    close,
  }
  return facilitator
}
