// A loopback node of the chain that speaks JSON-RPC and holds the accounts that a test sets. It knows getMultipleAccounts with base64 only.
// It does not simulate: commitment, passing slots, its own rate limits, or batches.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { RawAccount } from '../../processors/chains/solana/accounts/account.ts'
import { type Key, toBase58 } from '../../schemas/keys.ts'
import { startLocal } from '../tools/local-server.ts'

const SLOT = 435_946_373

/** What a node sends instead of its accounts. `value` is the regular response. */
export type Respond = (response: ServerResponse, value: unknown) => void

export interface AccountNode {
  readonly url: string
  /** Bodies of the received requests. */
  readonly asked: { readonly method: string; readonly params: readonly unknown[] }[]
  put(address: Key, account: RawAccount): void
  /** Sets the response of later requests; undefined: its accounts again. */
  respondWith(custom: Respond | undefined): void
  close(): Promise<void>
}

export const respond = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

export const startAccountNode = async (): Promise<AccountNode> => {
  const accounts = new Map<string, RawAccount>()
  const asked: { method: string; params: readonly unknown[] }[] = []
  let custom: Respond | undefined
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: [string[], { encoding: string }] }
      asked.push({ method, params })
      if (method !== 'getMultipleAccounts' || params[1].encoding !== 'base64')
        return respond(response, 200, { jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } })
      const value = params[0].map((address) => accountOf(accounts.get(address)))
      const answer = { jsonrpc: '2.0', id, result: { context: { apiVersion: '4.3.0', slot: SLOT }, value } }
      if (custom === undefined) respond(response, 200, answer)
      else custom(response, answer)
    })
  })
  const { url, close } = await startLocal(server)
  return {
    url: `${url}/a-key-in-the-path`,
    asked,
    put: (key, account) => void accounts.set(toBase58(key), account),
    respondWith: (what) => {
      custom = what
    },
    close,
  }
}

const accountOf = (account: RawAccount | undefined): object | null =>
  account === undefined
    ? null
    : {
        lamports: 1_461_600,
        owner: toBase58(account.owner),
        data: [Buffer.from(account.data).toString('base64'), 'base64'],
        executable: false,
        rentEpoch: 18_446_744_073_709_552_000,
        space: account.data.length,
      }

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
