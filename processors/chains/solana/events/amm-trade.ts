// Converts BuyEvent and SellEvent of the pool program to the tape, read by offset and converted to the coin's side.
import type { Amount } from '../../../../schemas/amount.ts'
import { type BadData, bad, type Parsed } from '../../../../schemas/errors.ts'
import type { Key } from '../../../../schemas/keys.ts'
import type { FrameTransaction, PoolTrade } from '../../../../schemas/types.ts'
import { hasTokenAccount, isBoostAuthority } from '../derived.ts'
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
const USER_BASE = 184
const USER_QUOTE = 216
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

/** The accounts and the reserve by which an event identifies the mints of its pool: it names none. */
export interface PoolParties {
  readonly pool: Key
  /** The user's token accounts of both sides; the zero key where the trade uses none. */
  readonly userBase: Key
  readonly userQuote: Key
  /** The event's base reserve, before the trade. */
  readonly baseBefore: Amount
}

/** True where the pool has a token account of the mint among the transaction's accounts. */
const isSide = (tx: FrameTransaction, pool: Key, mint: Key | undefined): mint is Key =>
  mint !== undefined && (tx.tokens.some((token) => token.owner === pool && token.mint === mint) || hasTokenAccount(tx.keys, pool, mint))

/**
 * The two mints next to the pool's address in an account list: the third and fourth account after it in instructions that begin with the
 * pool (buy, sell, deposit, withdraw, boost_buy_and_burn) and in the lists of programs that call them; the two before it for each hop of
 * multi_hop_swap (the program's IDL of 2026-11, MULTI_HOP_SWAP.md of 2026-10).
 */
const mintsBeside = ({ accounts, outer }: FoundEvent, { keys, instructions }: FrameTransaction, pool: Key): (Key | undefined)[] => {
  const list = accounts ?? instructions[outer]?.accounts
  const at = list?.indexOf(keys.indexOf(pool)) ?? -1
  if (list === undefined || at < 0) return []
  const places = accounts === undefined || at === 0 ? [at + 3, at + 4] : [at - 2, at - 1]
  return places.map((place) => keys[list[place] ?? -1])
}

/**
 * Sides from the balances of the pool's token accounts. The base is the mint of the user's base account, or not that of the user's quote
 * account; without both, the one whose balance before the transaction equals the event's reserve.
 */
const sidesFromBalances = (tx: FrameTransaction, { pool, userBase, userQuote, baseBefore }: PoolParties): PoolSides | undefined => {
  const vaults = tx.tokens.filter(({ owner }) => owner === pool)
  const [one, other] = [...new Set(vaults.map(({ mint }) => mint))]
  if (one === undefined || other === undefined || vaults.length !== 2) return undefined
  const isMintOf = (account: Key, mint: Key): boolean =>
    tx.tokens.some((token) => tx.keys[token.account] === account && token.mint === mint)
  const isBase = (base: Key, quote: Key): boolean => isMintOf(userBase, base) || isMintOf(userQuote, quote)
  const bases = vaults.filter(({ before }) => before === String(baseBefore))
  const base = isBase(one, other) ? one : isBase(other, one) ? other : bases.length === 1 ? bases[0]?.mint : undefined
  return base === undefined ? undefined : sidesOf(base, base === one ? other : one)
}

/**
 * Sides of an event's pool, identified by addresses: mints in the instruction's accounts of which the pool has token accounts, else those
 * of the pool's balances.
 */
export const findSides = (found: FoundEvent, tx: FrameTransaction, parties: PoolParties): PoolSides | BadData => {
  const [base, quote] = mintsBeside(found, tx, parties.pool)
  if (isSide(tx, parties.pool, base) && isSide(tx, parties.pool, quote)) return sidesOf(base, quote)
  return sidesFromBalances(tx, parties) ?? bad('mint_unknown', 'neither the instruction nor the balances name the mints of the pool')
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

const isSigner = ({ keys, signers }: FrameTransaction, key: Key): boolean => keys.slice(0, signers).includes(key)

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
  const user = readKey(bytes, USER)
  const parties = { pool, userBase: readKey(bytes, USER_BASE), userQuote: readKey(bytes, USER_QUOTE), baseBefore: poolBase }
  const sides = findSides(found, tx, parties)
  if ('ok' in sides) return sides
  const quoteAmount = readAmount(bytes, QUOTE_AMOUNT)
  const userAmount = readAmount(bytes, USER_QUOTE_AMOUNT)
  const isSwapped = isBaseBuy && userAmount < quoteAmount
  const [net, paid] = isSwapped ? [userAmount, quoteAmount] : [quoteAmount, userAmount]
  const base = readAmount(bytes, BASE_AMOUNT)
  const poolQuote = readAmount(bytes, POOL_QUOTE)
  const { mint, quoteMint, coinIsBase } = sides
  return checkAmounts({
    type: 'poolTrade',
    ...headOf(found, tx),
    mint,
    timestamp: readI64(bytes, TIMESTAMP),
    pool,
    user,
    isBuy: isBaseBuy === coinIsBase,
    isAgent: user === MAYHEM_AGENT || (virtualQuoteUnits !== null && !isSigner(tx, user) && isBoostAuthority(user, pool)),
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
