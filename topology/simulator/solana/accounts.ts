// Answers account reads from the demo's market, as a node of its chain would.
import type { CurveAccount, MintAccount, MintExtension } from '../../../processors/accounts.ts'
import { MAYHEM_AGENT } from '../../../processors/chains/solana/programs.ts'
import { good } from '../../../schemas/errors.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { AccountReader } from '../../ports/accounts.ts'
import { FIXED } from './bytes/addresses.ts'
import type { Coin, CoinBook } from './bytes/coins.ts'

/** The same for every coin of the launchpad. */
const DECIMALS = 6
/** Extensions of the launchpad's newer mints; the demo stores no metadata text. */
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

/** The agent's mint doubles a mayhem coin's supply. The launchpad gives up both authorities in the launch itself. */
const mintOf = ({ tokenProgram, supplyUnits, burntUnits, mayhem }: Coin): MintAccount => ({
  tokenProgram,
  decimals: DECIMALS,
  supplyUnits: BigInt((mayhem ? 2 : 1) * supplyUnits - burntUnits),
  mintAuthority: null,
  freezeAuthority: null,
  extensions: tokenProgram === FIXED.token2022 ? EXTENSIONS : [],
})

/**
 * Reads accounts at the slot of the newest coins. Coins that the demo has evicted (COINS_MAX) and addresses that are not a mint do not
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
