// An EVM chain with a token, the official facilitator of such chains, and the rail that sells on it.
import { x402Facilitator } from '@x402/core/facilitator'
import type { PaymentPayload } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import type { Hex } from 'viem'
import type { GateOptions } from '../../../query-api/payment/create-gate.ts'
import { evmCurrencyOf } from '../../../query-api/payment/evm/currency.ts'
import { evmRail } from '../../../query-api/payment/evm/rail.ts'
import { type JsonRoute, type JsonServer, serveJson } from '../../../topology/sandbox/http.ts'
import { TokenChain } from './evm-chain.ts'
import { type FaultyFacilitator, startFaultyFacilitator } from './faulty-facilitator.ts'

export const NETWORK = 'eip155:84532'
export const PAY_TO = '0x00000000000000000000000000000000000000aa'
const LOOPBACK = { host: '127.0.0.1', port: 0, anyHost: false, names: [] }

export interface EvmNetwork {
  readonly chain: TokenChain
  /** Of the chain, for JSON-RPC. */
  readonly nodeUrl: string
  readonly facilitator: FaultyFacilitator
  readonly second: NonNullable<GateOptions['second']>
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

export const startEvmNetwork = async (): Promise<EvmNetwork> => {
  const currency = await evmCurrencyOf(NETWORK)
  if (currency === undefined) throw new Error(`no USDC on ${NETWORK}`)
  const { asset, domain } = currency
  const chain = new TokenChain({ ...domain, chainId: 84_532, verifyingContract: asset as Hex })
  const [node, real] = await Promise.all([chain.serve(), serveFacilitator(chain)])
  const facilitator = await startFaultyFacilitator(real.origin)
  const seller = { payTo: PAY_TO, network: NETWORK, asset, priceFactor: 1 } as const
  return {
    ...{ chain, nodeUrl: node.origin, facilitator },
    second: (shared) => evmRail({ ...shared, url: facilitator.url, seller, domain, rpcUrl: node.origin }),
    close: async () => {
      await facilitator.close()
      await Promise.all([real.close(), node.close()])
    },
  }
}
