// USDC on EVM networks, from x402's list.
import { ExactEvmScheme } from '@x402/evm/exact/server'
import * as z from 'zod'

export interface EvmCurrency {
  /** Contract of the token. */
  readonly asset: string
  /** Its EIP-712 domain, which payers sign. */
  readonly domain: { readonly name: string; readonly version: string }
}

/** Prices are whole micro-USDC: tokens with other decimals, or without EIP-3009, are not supported. */
const ONE_USDC = '1000000'
const listed = z.object({
  asset: z.string(),
  amount: z.literal(ONE_USDC),
  extra: z.strictObject({ name: z.string(), version: z.string() }),
})

/** Undefined if the list has no USDC that can be transferred by signature. */
export const evmCurrencyOf = async (network: `${string}:${string}`): Promise<EvmCurrency | undefined> => {
  const price = await new ExactEvmScheme().parsePrice('1 USDC', network).catch(() => undefined)
  const found = listed.safeParse(price).data
  return found && { asset: found.asset, domain: found.extra }
}
