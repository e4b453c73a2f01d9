// USDC on EVM networks, as x402's own list has it.
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { z } from 'zod'

export interface EvmCurrency {
  /** Contract of the token. */
  readonly asset: string
  /** Of its EIP-712 domain: what payers sign. */
  readonly domain: { readonly name: string; readonly version: string }
}

/** Prices are whole micro-USDC: a token of other decimals, or without EIP-3009, is none of ours. */
const ONE_USDC = '1000000'
const listed = z.object({
  asset: z.string(),
  amount: z.literal(ONE_USDC),
  extra: z.strictObject({ name: z.string(), version: z.string() }),
})

/** Undefined where the list has no USDC that can be transferred by a signature. */
export const evmCurrencyOf = async (network: `${string}:${string}`): Promise<EvmCurrency | undefined> => {
  const price = await new ExactEvmScheme().parsePrice('1 USDC', network).catch(() => undefined)
  const found = listed.safeParse(price).data
  return found && { asset: found.asset, domain: found.extra }
}
