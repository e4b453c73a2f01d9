// The tape event that follows from another decoder's reading of an event, by a second way: from named fields, not from offsets in bytes.
import type { TapeEvent } from '../../../schemas/types.ts'

type Fields = Readonly<Record<string, string>>
/** Tape field: its value as text. Fields that the reading lacks are left out. */
type Expected = Readonly<Record<string, string | undefined>>

const SOL: ReadonlySet<string | undefined> = new Set([
  undefined,
  '11111111111111111111111111111111',
  'So11111111111111111111111111111111111111112',
])

const launchOf = (f: Fields): Expected => ({
  mint: f.mint,
  user: f.user,
  creator: f.creator,
  name: f.name,
  symbol: f.symbol,
  uri: f.uri,
  timestamp: f.timestamp,
  bondingCurve: f.bonding_curve,
  tokenProgram: f.token_program,
  mayhem: f.is_mayhem_mode,
  cashback: f.is_cashback_enabled,
  virtualTokenUnits: f.virtual_token_reserves,
  virtualQuoteUnits: SOL.has(f.quote_mint) ? f.virtual_sol_reserves : f.virtual_quote_reserves,
  realTokenUnits: f.real_token_reserves,
  supplyUnits: f.token_total_supply,
})

const tradeOf = (f: Fields): Expected => ({
  mint: f.mint,
  user: f.user,
  timestamp: f.timestamp,
  isBuy: f.is_buy,
  mayhem: f.mayhem_mode,
  creator: f.creator,
  tokenUnits: f.token_amount,
  feeUnits: f.fee,
  creatorFeeUnits: f.creator_fee,
  virtualTokenUnits: f.virtual_token_reserves,
  realTokenUnits: f.real_token_reserves,
  ...(SOL.has(f.quote_mint)
    ? { quoteUnits: f.sol_amount, virtualQuoteUnits: f.virtual_sol_reserves, realQuoteUnits: f.real_sol_reserves }
    : {
        quoteMint: f.quote_mint,
        quoteUnits: f.quote_amount,
        virtualQuoteUnits: f.virtual_quote_reserves,
        realQuoteUnits: f.real_quote_reserves,
      }),
})

const ofCurve = (f: Fields): Expected => ({ mint: f.mint, user: f.user, timestamp: f.timestamp, bondingCurve: f.bonding_curve })
const migrationOf = (f: Fields): Expected => ({
  ...ofCurve(f),
  pool: f.pool,
  tokenUnits: f.mint_amount,
  quoteUnits: f.sol_amount,
  feeUnits: f.pool_migration_fee,
})

/** In a pool whose base is SOL, the coin is the quote: tape fields of the coin come from the event's quote. */
const sided = (tape: TapeEvent, base: Expected, quote: Expected): Expected =>
  'coinIsBase' in tape && !tape.coinIsBase
    ? { tokenUnits: quote.paid, quoteUnits: base.net, userQuoteUnits: base.net, poolTokenUnits: quote.pool, poolQuoteUnits: base.pool }
    : { tokenUnits: base.net, quoteUnits: quote.net, userQuoteUnits: quote.paid, poolTokenUnits: base.pool, poolQuoteUnits: quote.pool }

const poolTradeOf =
  (isBaseBuy: boolean) =>
  (f: Fields, tape: TapeEvent): Expected => {
    const base = { net: isBaseBuy ? f.base_amount_out : f.base_amount_in, pool: f.pool_base_token_reserves }
    const quotes = isBaseBuy ? [f.quote_amount_in, f.user_quote_amount_in] : [f.quote_amount_out, f.user_quote_amount_out]
    // In a BuyEvent of an instruction with an exact quote, the two are swapped.
    const [net, paid] = isBaseBuy ? quotes.sort((a = '', b = '') => Number(BigInt(a) - BigInt(b))) : quotes
    const coinIsBase = 'coinIsBase' in tape && tape.coinIsBase
    return {
      pool: f.pool,
      user: f.user,
      timestamp: f.timestamp,
      isBuy: String(isBaseBuy === coinIsBase),
      poolFeeUnits: coinIsBase ? f.lp_fee : '0',
      ...sided(tape, base, { net, paid, pool: f.pool_quote_token_reserves }),
    }
  }

/** Liquidity has no amount of the user of its own. */
const withoutUser = ({ userQuoteUnits: _none, ...expected }: Expected): Expected => expected
const liquidityOf =
  (suffix: 'in' | 'out') =>
  (f: Fields, tape: TapeEvent): Expected => {
    const quote = f[`quote_amount_${suffix}`]
    const sides = sided(
      tape,
      { net: f[`base_amount_${suffix}`], pool: f.pool_base_token_reserves },
      { net: quote, paid: quote, pool: f.pool_quote_token_reserves },
    )
    return { pool: f.pool, user: f.user, timestamp: f.timestamp, ...withoutUser(sides) }
  }
const poolOf = (f: Fields, tape: TapeEvent): Expected => {
  const quote = { net: f.pool_quote_amount, paid: f.pool_quote_amount }
  return {
    pool: f.pool,
    creator: f.creator,
    timestamp: f.timestamp,
    index: f.index,
    ...withoutUser(sided(tape, { net: f.pool_base_amount }, quote)),
  }
}

const TAPES: Readonly<Record<string, (fields: Fields, tape: TapeEvent) => Expected>> = {
  CreateEvent: launchOf,
  TradeEvent: tradeOf,
  CompleteEvent: ofCurve,
  CompletePumpAmmMigrationEvent: migrationOf,
  CreatePoolEvent: poolOf,
  BuyEvent: poolTradeOf(true),
  SellEvent: poolTradeOf(false),
  DepositEvent: liquidityOf('in'),
  WithdrawEvent: liquidityOf('out'),
}

/** The values that the tape event must have, as far as the reading's fields tell them. */
export const expectedTape = (event: string, fields: Fields, tape: TapeEvent): readonly (readonly [name: string, value: string])[] =>
  Object.entries(TAPES[event]?.(fields, tape) ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
