// Answers account reads from the demo's market, as a node of its chain would.
import type { CurveAccount, MintAccount, MintExtension } from '../../../processors/accounts.ts'
import { MAYHEM_AGENT } from '../../../processors/chains/solana/programs.ts'
import { good } from '../../../schemas/errors.ts'
import { type Key, mustKey } from '../../../schemas/keys.ts'
import type { AccountReader } from '../../ports/accounts.ts'
import { FIXED } from './bytes/addresses.ts'
import type { Coin, CoinBook } from './bytes/coins.ts'
import { SUPPLY_UNITS } from './market/coin/curve.ts'
import { USDC } from './market/plan.ts'

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

/** The other quote currency of the demo, with the authorities that it has on the chain. */
const USDC_MINT: MintAccount = {
  tokenProgram: FIXED.token,
  decimals: DECIMALS,
  supplyUnits: 8_000_000_000_000_000n,
  mintAuthority: mustKey('BJE5MMbqXjVwjAF7oxwPYXnTXDyspzZyt4vwenw5ruG'),
  freezeAuthority: mustKey('7dGbd2QZcCKcTndnHcTL8q7SMVXAkp688NTQYwrRCrar'),
  extensions: [],
}

/** A coin that graduated before the demo began, of the time before curves named a creator. */
const graduated = (coin: Coin): Coin => ({ ...coin, supplyUnits: SUPPLY_UNITS, complete: true, tokenProgram: FIXED.token })

/**
 * Reads accounts at the slot of the newest coins. Coins that the demo has evicted (COINS_MAX) and addresses that are not a mint do not
 * exist here, except the agent's, which is a plain account, and the coins of old pools, once they were traded.
 */
export const demoAccounts = (coins: Pick<CoinBook, 'find' | 'at'>, slotNow: () => number): AccountReader => ({
  read: async (mint: Key) => {
    const slot = slotNow()
    const coin = coins.find(mint)
    const head = { slot, curveAddress: coins.at(mint).bondingCurve }
    if (mint === USDC) return { ok: true, value: { ...head, exists: true, mint: good(USDC_MINT), curve: good(null) } }
    if (coin === undefined) return { ok: true, value: { ...head, exists: mint === MAYHEM_AGENT, mint: good(null), curve: good(null) } }
    if (coin.supplyUnits === 0) {
      const old = graduated(coin)
      return { ok: true, value: { ...head, exists: true, mint: good(mintOf(old)), curve: good({ ...curveOf(old), creator: null }) } }
    }
    return { ok: true, value: { ...head, exists: true, mint: good(mintOf(coin)), curve: good(curveOf(coin)) } }
  },
})
