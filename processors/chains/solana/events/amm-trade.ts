// Converts BuyEvent and SellEvent of the pool program to the tape, read by offset and converted to the coin's side.
import type { Amount } from '../../../../schemas/amount.ts'
import { type BadData, bad, type Parsed } from '../../../../schemas/errors.ts'
import type { Key } from '../../../../schemas/keys.ts'
import type { FrameTransaction, PoolTrade } from '../../../../schemas/types.ts'
import { MAYHEM_AGENT, quoteOf } from '../programs.ts'
import type { FoundEvent } from './found.ts'
import { badBool, checkAmounts, endOfString, headOf, readAmount, readI64, readI128, readKey } from './tape-read.ts'

const TIMESTAMP = 8
const BASE_AMOUNT = 16
const POOL_BASE = 48
const POOL_QUOTE = 56
const QUOTE_AMOUNT = 64
const POOL_FEE = 80
const USER_QUOTE_AMOUNT = 112
const POOL = 120
const USER = 152
const FIRST_LAYOUT_BYTES = 312
/** Offsets of track_volume and ix_name in BuyEvent, and of the virtual quote reserve in SellEvent. */
const BUY_TRACK_VOLUME = 360
const BUY_IX_NAME = 401
const SELL_VIRTUAL_QUOTE = 392
const I128_BYTES = 16

/** Both sides of a pool: the coin, and the quote that it trades for. */
export interface PoolSides {
  readonly mint: Key
  /** Null means SOL. */
  readonly quoteMint: Key | null
  readonly coinIsBase: boolean
}

/** The coin is the side that is not SOL, or the base where neither is SOL. */
export const sidesOf = (base: Key, quote: Key): PoolSides =>
  quoteOf(base) === null && quoteOf(quote) !== null
    ? { mint: quote, quoteMint: null, coinIsBase: false }
    : { mint: base, quoteMint: quoteOf(quote), coinIsBase: true }

/**
 * Sides from the pool's own token accounts: the base is the account whose balance before the transaction equals the
 * event's base reserve.
 */
const sidesFromVaults = (tx: FrameTransaction, pool: Key, baseBefore: Amount): PoolSides | undefined => {
  const vaults = tx.tokens.filter(({ owner }) => owner === pool)
  const bases = vaults.filter(({ before }) => before === String(baseBefore))
  const others = vaults.filter((vault) => !bases.includes(vault))
  const [base, quote] = [bases[0], others[0]]
  return base && quote && bases.length === 1 && others.length === 1 ? sidesOf(base.mint, quote.mint) : undefined
}

/**
 * Sides of an event's pool (the event names no mint): from the accounts of the emitting instruction (pool 0, base mint 3, quote mint 4 in
 * buy, sell, deposit and withdraw), else from the pool's token accounts. `baseBefore` is the event's base reserve, before the trade.
 */
export const findSides = (found: FoundEvent, tx: FrameTransaction, pool: Key, baseBefore: Amount): PoolSides | BadData => {
  const { accounts } = found
  const keyAt = (i: number): Key | undefined => tx.keys[accounts?.[i] ?? -1]
  const [base, quote] = [keyAt(3), keyAt(4)]
  if (keyAt(0) === pool && base !== undefined && quote !== undefined) return sidesOf(base, quote)
  return sidesFromVaults(tx, pool, baseBefore) ?? bad('mint_unknown', 'neither the instruction nor the balances name the mints of the pool')
}

/** Offset of the virtual quote reserve; undefined in layouts without it. */
const virtualQuoteAt = (bytes: Buffer, isBaseBuy: boolean): number | undefined | BadData => {
  if (!isBaseBuy) return SELL_VIRTUAL_QUOTE
  if (bytes.length <= BUY_TRACK_VOLUME) return undefined
  const wrong = badBool(bytes, BUY_TRACK_VOLUME, 'BuyEvent.track_volume')
  if (wrong) return wrong
  const nameEnd = endOfString(bytes, BUY_IX_NAME, 'BuyEvent.ix_name')
  return typeof nameEnd === 'number' ? nameEnd + 32 : nameEnd
}

/** The virtual quote reserve; null in layouts without it. */
const readVirtualQuote = (bytes: Buffer, isBaseBuy: boolean): Amount | null | BadData => {
  const at = virtualQuoteAt(bytes, isBaseBuy)
  if (typeof at !== 'number') return at ?? null
  const end = at + I128_BYTES
  const wrong = bytes.length > end ? badBool(bytes, end, 'can_boost') : undefined
  return wrong ?? (bytes.length < end ? null : readI128(bytes, at))
}

/**
 * A trade in a pool. `isBaseBuy`: BuyEvent, otherwise SellEvent. In a BuyEvent of buy_exact_quote_in the amounts with and without fees are
 * swapped, compared to buy, and old events do not name their instruction. So the smaller of the two is taken as the amount without fees.
 */
export const readPoolTrade = (found: FoundEvent, tx: FrameTransaction, isBaseBuy: boolean): Parsed<PoolTrade> => {
  const { bytes } = found
  const name = isBaseBuy ? 'BuyEvent' : 'SellEvent'
  if (bytes.length < FIRST_LAYOUT_BYTES) return bad('truncated', `${name} has ${bytes.length} bytes, fewer than its oldest layout`)
  const virtualQuoteUnits = readVirtualQuote(bytes, isBaseBuy)
  if (virtualQuoteUnits !== null && typeof virtualQuoteUnits === 'object') return virtualQuoteUnits
  const pool = readKey(bytes, POOL)
  const poolBase = readAmount(bytes, POOL_BASE)
  const sides = findSides(found, tx, pool, poolBase)
  if ('ok' in sides) return sides
  const quoteAmount = readAmount(bytes, QUOTE_AMOUNT)
  const userAmount = readAmount(bytes, USER_QUOTE_AMOUNT)
  const isSwapped = isBaseBuy && userAmount < quoteAmount
  const [net, paid] = isSwapped ? [userAmount, quoteAmount] : [quoteAmount, userAmount]
  const base = readAmount(bytes, BASE_AMOUNT)
  const poolQuote = readAmount(bytes, POOL_QUOTE)
  const user = readKey(bytes, USER)
  const { mint, quoteMint, coinIsBase } = sides
  return checkAmounts({
    type: 'poolTrade',
    ...headOf(found, tx),
    mint,
    timestamp: readI64(bytes, TIMESTAMP),
    pool,
    user,
    isBuy: isBaseBuy === coinIsBase,
    isAgent: user === MAYHEM_AGENT,
    coinIsBase,
    quoteMint,
    tokenUnits: coinIsBase ? base : paid,
    quoteUnits: coinIsBase ? net : base,
    userQuoteUnits: coinIsBase ? paid : base,
    poolTokenUnits: coinIsBase ? poolBase : poolQuote,
    poolQuoteUnits: coinIsBase ? poolQuote : poolBase,
    virtualQuoteUnits: coinIsBase ? virtualQuoteUnits : null,
    poolFeeUnits: coinIsBase ? readAmount(bytes, POOL_FEE) : 0,
  })
}
