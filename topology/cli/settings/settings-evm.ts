// Settings of the second network: USDC on an EVM chain, for the compact checks.
import * as z from 'zod'
import { UsageError } from '../command.ts'
import { evmAddress, url } from './settings-values.ts'

export interface EvmSettings {
  /** CAIP-2 id. */
  readonly network: `eip155:${string}`
  /** 0x address that receives payments. */
  readonly payTo: string
  readonly facilitatorUrl: string
  /** The node for looking up uncertain settlements. */
  readonly rpcUrl: string | null
}

const network = z.custom<EvmSettings['network']>((value) => typeof value === 'string' && /^eip155:[1-9][0-9]{0,17}$/.test(value), {
  error: 'a CAIP-2 id of an EVM network, such as eip155:8453',
})

export const EVM_VARIABLES = {
  X402_EVM_NETWORK: network.optional(),
  X402_EVM_PAY_TO: evmAddress.optional(),
  X402_EVM_FACILITATOR_URL: url.optional(),
  X402_EVM_RPC_URL: url.optional(),
}

/** Null if none is set. @throws UsageError that names the missing settings */
export const evmOf = (values: z.infer<z.ZodObject<typeof EVM_VARIABLES>>): EvmSettings | null => {
  const {
    X402_EVM_NETWORK: network,
    X402_EVM_PAY_TO: payTo,
    X402_EVM_FACILITATOR_URL: facilitatorUrl,
    X402_EVM_RPC_URL: rpcUrl = null,
  } = values
  if (network !== undefined && payTo !== undefined && facilitatorUrl !== undefined) return { network, payTo, facilitatorUrl, rpcUrl }
  const required = { X402_EVM_NETWORK: network, X402_EVM_PAY_TO: payTo, X402_EVM_FACILITATOR_URL: facilitatorUrl }
  const set = Object.entries({ ...required, X402_EVM_RPC_URL: rpcUrl ?? undefined }).flatMap(([name, value]) => (value ? [name] : []))
  if (set.length === 0) return null
  const missing = Object.entries(required).flatMap(([name, value]) => (value ? [] : [name]))
  throw new UsageError(
    `${missing.join(' and ')} must be set together with ${set.join(' and ')}: a second network needs X402_EVM_NETWORK, X402_EVM_PAY_TO and X402_EVM_FACILITATOR_URL`,
  )
}
