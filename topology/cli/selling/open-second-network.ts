// The second network that compact checks can be paid on. Loaded only if set, because its packages are slow to load.
import type { GateOptions } from '../../../query-api/payment/create-gate.ts'
import { UsageError } from '../command.ts'
import type { Settings } from '../settings/settings.ts'

/** Undefined if not set. @throws UsageError for a network whose USDC is unknown. */
export const openSecondNetwork = async ({ payments, evm, priceFactor }: Settings): Promise<GateOptions['second']> => {
  if (payments !== 'facilitator' || evm === null) return undefined
  const { network, payTo, facilitatorUrl: url, rpcUrl } = evm
  const [{ evmCurrencyOf }, { evmRail }] = await Promise.all([
    import('../../../query-api/payment/evm/currency.ts'),
    import('../../../query-api/payment/evm/rail.ts'),
  ])
  const currency = await evmCurrencyOf(network)
  if (currency === undefined)
    throw new UsageError(`X402_EVM_NETWORK=${network} is wrong: no USDC with signed transfers (EIP-3009) is known on this network`)
  const { asset, domain } = currency
  const seller = { payTo, network, asset, priceFactor }
  return (shared) => evmRail({ ...shared, url, seller, domain, rpcUrl: rpcUrl ?? undefined })
}
