// The JSON-RPC methods that x402 clients, the facilitator and settlement look-ups use, on top of the ledger.
import { getTokenDecoder } from '@solana-program/token'
import * as z from 'zod'
import { messageOf } from '../../schemas/errors.ts'
import { SANDBOX_GENESIS_HASH } from './genesis.ts'
import type { JsonRoute } from './http.ts'
import { type Ledger, RpcRefusal } from './ledger.ts'
import type { Landed } from './ledger-store.ts'
import type { Execution } from './svm.ts'

const SIGNATURES_MAX = 256
const HISTORY_LIMIT_MAX = 1000
const METHOD_NOT_FOUND = -32601
const INVALID_PARAMS = -32602

const requestSchema = z.object({
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string(),
  params: z.array(z.unknown()).default([]),
})
const key = z.string().min(1).max(128)
const historyConfig = z.object({ limit: z.int().min(1).max(HISTORY_LIMIT_MAX).default(HISTORY_LIMIT_MAX), before: key.optional() })
const onlyKey = z.tuple([key], z.unknown())
const wire = z.string().min(1).max(4096)

type Method = (ledger: Ledger, params: unknown[]) => unknown

const methods: Readonly<Record<string, Method>> = {
  getSlot: (ledger) => ledger.slot(),
  getBlockHeight: (ledger) => ledger.slot(),
  getBlockTime: (ledger) => ledger.timeS(),
  getLatestBlockhash: (ledger) => inContext(ledger, ledger.latestBlockhash()),
  getGenesisHash: () => SANDBOX_GENESIS_HASH,
  isBlockhashValid: (ledger, params) => inContext(ledger, ledger.isBlockhashValid(onlyKey.parse(params)[0])),
  getBalance: (ledger, params) => inContext(ledger, ledger.account(onlyKey.parse(params)[0])?.lamports ?? 0n),
  getAccountInfo: (ledger, params) => {
    const account = ledger.account(onlyKey.parse(params)[0])
    if (account === undefined) return inContext(ledger, null)
    const { data, executable, lamports, owner } = account
    return inContext(ledger, {
      data: [Buffer.from(data).toString('base64'), 'base64'],
      executable,
      lamports,
      owner,
      rentEpoch: 0,
      space: data.length,
    })
  },
  getTokenAccountBalance: (ledger, params) => {
    const account = ledger.account(onlyKey.parse(params)[0])
    if (account === undefined) throw new RpcRefusal(INVALID_PARAMS, 'Invalid param: could not find account')
    const { amount } = getTokenDecoder().decode(account.data)
    return inContext(ledger, {
      amount: String(amount),
      decimals: 6,
      uiAmount: Number(amount) / 1e6,
      uiAmountString: String(Number(amount) / 1e6),
    })
  },
  simulateTransaction: (ledger, params) => {
    const [transaction, config] = z.tuple([wire], z.unknown()).parse(params)
    const { sigVerify } = z.object({ sigVerify: z.boolean().default(false) }).parse(config ?? {})
    return inContext(ledger, simulation(ledger.simulate(transaction, sigVerify)))
  },
  sendTransaction: (ledger, params) => ledger.send(z.tuple([wire], z.unknown()).parse(params)[0]),
  getSignatureStatuses: (ledger, params) => {
    const [signatures] = z.tuple([z.array(key).max(SIGNATURES_MAX)], z.unknown()).parse(params)
    return inContext(
      ledger,
      signatures.map((signature) => statusOf(ledger.find(signature))),
    )
  },
  getSignaturesForAddress: (ledger, params) => {
    const [address, config] = z.tuple([key], z.unknown()).parse(params)
    const { limit, before } = historyConfig.parse(config ?? {})
    return ledger.history(address, limit, before).map(({ signature, slot, error, blockTimeS }) => ({
      signature,
      slot,
      err: error,
      memo: null,
      blockTime: blockTimeS,
      confirmationStatus: 'finalized',
    }))
  },
  getTransaction: (ledger, params) => {
    const found = ledger.find(onlyKey.parse(params)[0])
    if (found === undefined) return null
    return {
      slot: found.slot,
      blockTime: found.blockTimeS,
      meta: { err: found.error },
      transaction: [found.wireBase64, 'base64'],
      version: 0,
    }
  },
}

/** One request per call; no batches, no subscriptions, base64 only. */
export const rpcRoute =
  (ledger: Ledger): JsonRoute =>
  async (body) => {
    const parsed = requestSchema.safeParse(body)
    if (!parsed.success) return { status: 400, body: failure(null, -32600, 'not a JSON-RPC request') }
    const { id = null, method, params } = parsed.data
    const run = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (run === undefined) return { status: 200, body: failure(id, METHOD_NOT_FOUND, `Method not found: ${method}`) }
    try {
      return {
        status: 200,
        body: {
          jsonrpc: '2.0',
          id,
          result: await run(
            ledger,
            params.filter((param) => param !== undefined),
          ),
        },
      }
    } catch (error) {
      if (error instanceof RpcRefusal) return { status: 200, body: failure(id, error.code, error.message, error.err) }
      if (error instanceof z.ZodError) return { status: 200, body: failure(id, INVALID_PARAMS, 'Invalid params') }
      return { status: 500, body: failure(id, -32603, messageOf(error)) }
    }
  }

const inContext = (ledger: Ledger, value: unknown): unknown => ({ context: { apiVersion: '2.0.0', slot: ledger.slot() }, value })

const failure = (id: string | number | null, code: number, message: string, err?: string): unknown => {
  const data = err !== undefined && { data: { err, logs: [], accounts: null, unitsConsumed: 0, returnData: null } }
  return { jsonrpc: '2.0', id, error: { code, message, ...data } }
}

const simulation = (execution: Execution): unknown =>
  execution.kind === 'dropped'
    ? { err: execution.error, logs: [], unitsConsumed: 0, returnData: null, accounts: null }
    : { err: execution.error, logs: execution.logs, unitsConsumed: execution.units, returnData: null, accounts: null }

const statusOf = (landed: Landed | undefined): unknown =>
  landed && { slot: landed.slot, confirmations: null, err: landed.error, confirmationStatus: 'finalized' }
