// The compact checks sold on two networks: the sandbox's, and an EVM chain with the official facilitator of such chains.
import { createServer } from 'node:http'
import { x402Facilitator } from '@x402/core/facilitator'
import type { PaymentPayload } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import type { Hex } from 'viem'
import { createGate } from '../../../query-api/payment/create-gate.ts'
import { evmCurrencyOf } from '../../../query-api/payment/evm/currency.ts'
import { evmRail } from '../../../query-api/payment/evm/rail.ts'
import type { PaymentEntry } from '../../../query-api/payment/stores/idempotency-store.ts'
import type { SettlementLine, SettlementLog } from '../../../query-api/payment/stores/settlement-log.ts'
import { TableLog } from '../../../query-api/payment/stores/table-log.ts'
import { TableIdempotencyStore } from '../../../query-api/payment/stores/table-store.ts'
import { createMemoryTable } from '../../../topology/data-dir/memory-table.ts'
import { type JsonRoute, type JsonServer, serveJson } from '../../../topology/sandbox/http.ts'
import { startLocal } from '../../tools/local-server.ts'
import { given } from '../check-given.ts'
import { TokenChain } from './evm-chain.ts'
import { type FaultyFacilitator, startFaultyFacilitator } from './faulty-facilitator.ts'
import { startWorld } from './world.ts'

export const NETWORK = 'eip155:84532'
export const PAY_TO = '0x00000000000000000000000000000000000000aa'
const LOOPBACK = { host: '127.0.0.1', port: 0, anyHost: false, names: [] }

export interface EvmShop {
  readonly url: string
  /** The network that everything is sold on. */
  readonly firstNetwork: string
  readonly chain: TokenChain
  /** Of the chain, for JSON-RPC. */
  readonly nodeUrl: string
  readonly facilitator: FaultyFacilitator
  readonly log: SettlementLog
  close(): Promise<void>
}

type Asked = { readonly paymentPayload: PaymentPayload; readonly paymentRequirements: PaymentPayload['accepted'] }

const serveFacilitator = (chain: TokenChain): Promise<JsonServer> => {
  const official = new x402Facilitator().register(NETWORK, new ExactEvmScheme(chain.signer))
  const route =
    (ask: (payload: PaymentPayload, requirements: PaymentPayload['accepted']) => Promise<unknown>): JsonRoute =>
    async (body) => {
      const { paymentPayload, paymentRequirements } = body as Asked
      return { status: 200, body: await ask(paymentPayload, paymentRequirements) }
    }
  return serveJson(
    {
      'GET /supported': () => ({ status: 200, body: official.getSupported() }),
      'POST /verify': route((payload, requirements) => official.verify(payload, requirements)),
      'POST /settle': route((payload, requirements) => official.settle(payload, requirements)),
    },
    LOOPBACK,
  )
}

export const startEvmShop = async (): Promise<EvmShop> => {
  const world = await startWorld()
  const currency = await evmCurrencyOf(NETWORK)
  if (currency === undefined) throw new Error(`no USDC on ${NETWORK}`)
  const { asset, domain } = currency
  const chain = new TokenChain({ ...domain, chainId: 84_532, verifyingContract: asset as Hex })
  const [node, real] = await Promise.all([chain.serve(), serveFacilitator(chain)])
  const facilitator = await startFaultyFacilitator(real.origin)
  const clock = { now: Date.now }
  const log = new TableLog(createMemoryTable<SettlementLine>())
  const book = new TableIdempotencyStore(createMemoryTable<PaymentEntry>(), clock)
  const { payTo, network, rpcUrl } = world.sandbox
  const seller = { payTo: PAY_TO, network: NETWORK, asset, priceFactor: 1 } as const
  const gate = createGate({
    ...{ mode: 'facilitator', facilitatorUrl: world.facilitator.url, payTo, network, rpcUrl, priceFactor: 1, clock, book, log },
    facilitatorTimeoutMs: 2_000,
    second: (shared) => evmRail({ ...shared, url: facilitator.url, seller, domain, rpcUrl: node.origin }),
  })
  const server = await startLocal(createServer(given({ till: gate, sandbox: true }).app.callback()))
  const close = async (): Promise<void> => {
    await server.close()
    await gate.close(1_000)
    await facilitator.close()
    await Promise.all([real.close(), node.close(), world.close()])
  }
  return { url: server.url, firstNetwork: network, chain, nodeUrl: node.origin, facilitator, log, close }
}
