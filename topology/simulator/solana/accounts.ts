// Account reads answered from the demo's own market: what a node of its chain would say.
import type { CurveAccount, MintAccount, MintExtension } from '../../../processors/accounts.ts'
import { MAYHEM_AGENT } from '../../../processors/chains/solana/programs.ts'
import { good } from '../../../schemas/errors.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { AccountReader } from '../../ports/accounts.ts'
import { FIXED } from './bytes/addresses.ts'
import type { Coin, CoinBook } from './bytes/coins.ts'

/** Every coin of the launchpad has as many. */
const DECIMALS = 6
/** What the launchpad's newer mints carry; the demo keeps no texts. */
const EXTENSIONS: readonly MintExtension[] = [
  { type: 'other', name: 'metadata_pointer' },
  { type: 'tokenMetadata', text: null },
]

const curveOf = (coin: Coin): CurveAccount => ({
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
const mintOf = ({ tokenProgram, supplyUnits, mayhem }: Coin): MintAccount => ({
  tokenProgram,
  decimals: DECIMALS,
  supplyUnits: BigInt(mayhem ? 2 * supplyUnits : supplyUnits),
  mintAuthority: null,
  freezeAuthority: null,
  extensions: tokenProgram === FIXED.token2022 ? EXTENSIONS : [],
})

/**
 * Reads accounts at the slot of the newest coins. Coins that the demo has forgotten (COINS_MAX) and addresses that are no mint do not
 * exist here, except the agent's, which is a plain account.
 */
export const demoAccounts = (coins: Pick<CoinBook, 'find' | 'at'>, slotNow: () => number): AccountReader => ({
  read: async (mint: Key) => {
    const slot = slotNow()
    const coin = coins.find(mint)
    const head = { slot, curveAddress: coins.at(mint).bondingCurve }
    if (coin === undefined || coin.supplyUnits === 0)
      return { ok: true, value: { ...head, exists: mint === MAYHEM_AGENT, mint: good(null), curve: good(null) } }
    return { ok: true, value: { ...head, exists: true, mint: good(mintOf(coin)), curve: good(curveOf(coin)) } }
  },
})
