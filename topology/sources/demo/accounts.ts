// Account reads answered from the demo's own market: what a node of its chain would say.
import { MAYHEM_AGENT } from '../../../processors/solana/programs.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { AccountReader, CurveAccount, MintAccounts } from '../../ports/accounts.ts'
import type { SourceStatus } from '../../views/mint-view.ts'
import type { Coin, CoinBook } from './bytes/coins.ts'

/** Every coin of the launchpad has as many. */
const DECIMALS = 6

const curveOf = (coin: Coin): CurveAccount => ({
  address: coin.bondingCurve,
  complete: coin.complete,
  virtualTokenUnits: coin.virtualTokenUnits,
  virtualQuoteUnits: coin.virtualQuoteUnits,
  realTokenUnits: coin.realTokenUnits,
  realQuoteUnits: coin.realQuoteUnits,
  creator: coin.creator,
  mayhem: coin.mayhem,
  cashback: coin.cashback,
  quoteMint: coin.quoteMint,
})

/** A mayhem coin's supply is doubled by the agent's mint. The launchpad gives up both authorities in the launch itself. */
const mintOf = ({ tokenProgram, supplyUnits, mayhem }: Coin): NonNullable<MintAccounts['mint']> => ({
  tokenProgram,
  decimals: DECIMALS,
  supplyUnits: mayhem ? 2 * supplyUnits : supplyUnits,
  mintAuthority: null,
  freezeAuthority: null,
})

/**
 * Reads accounts at the source's tip. Coins that the demo has forgotten (COINS_MAX) and addresses that are no mint do not exist here,
 * except the agent's, which is a plain account.
 */
export const demoAccounts = (coins: Pick<CoinBook, 'find'>, source: SourceStatus): AccountReader => ({
  read: async (mint: Key) => {
    const slot = source.tip()?.number ?? 0
    const coin = coins.find(mint)
    if (coin === undefined || coin.supplyUnits === 0)
      return { ok: true, value: { slot, exists: mint === MAYHEM_AGENT, mint: null, curve: null } }
    return { ok: true, value: { slot, exists: true, mint: mintOf(coin), curve: curveOf(coin) } }
  },
})
