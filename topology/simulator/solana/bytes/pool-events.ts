// Encodes events of the pool program: converts the tape's coin and quote amounts to base and quote, with the fees between gross and net.

import { ZERO_KEY } from '../../../../processors/chains/solana/programs.ts'
import { assert } from '../../../../schemas/errors.ts'
import type { DemoEvent } from '../market-types.ts'
import { accountOf, baseMintOf, feeRecipientOf, lpMintOf, otherMintOf, type Scene } from './accounts-of.ts'
import { FIXED, tokenAccount } from './addresses.ts'
import type { EventValues, Wire } from './event-bytes.ts'

type Of<Type extends DemoEvent['type']> = Extract<DemoEvent, { type: Type }>

/** Basis points in the lowest tier of market cap: 2 to the pool, 93 to the protocol, 30 to the creator. */
const POOL_FEE_BPS = 2
const PROTOCOL_FEE_BPS = 93
const CREATOR_FEE_BPS = 30
const TOTAL_FEE_BPS = POOL_FEE_BPS + PROTOCOL_FEE_BPS + CREATOR_FEE_BPS
const BUYBACK_BPS = 5_000
/** Newest generation of each event's layout that lacks the virtual reserve. */
const BEFORE_VIRTUAL = { BuyEvent: 3, SellEvent: 2 } as const

/** A trade's fees by recipient; they add up to the difference of gross and net. */
export const poolFees = ({ quoteUnits, userQuoteUnits, poolFeeUnits: pool }: Of<'poolTrade'>) => {
  const all = Math.abs(userQuoteUnits - quoteUnits)
  const creator = Math.floor((all * CREATOR_FEE_BPS) / TOTAL_FEE_BPS)
  return { pool, creator, protocol: all - pool - creator }
}

/** `BuyEvent` takes base out of the pool; if the coin is the quote side, it is a sale of the coin. */
export const poolTradeValues = (event: Of<'poolTrade'>, scene: Scene, ixName: string): Wire => {
  const { coin } = scene
  const { coinIsBase } = event
  const isBaseBuy = event.isBuy === coinIsBase
  const fees = coinIsBase ? poolFees(event) : { pool: 0, creator: 0, protocol: 0 }
  const isFree = fees.protocol === 0
  // If the coin is the quote side, the tape has only its gross amount, and both quote fields of the tape have the base amount.
  const base = coinIsBase ? event.tokenUnits : event.userQuoteUnits
  const net = coinIsBase ? event.quoteUnits : event.tokenUnits
  const gross = coinIsBase ? event.userQuoteUnits : event.tokenUnits
  assert(isBaseBuy ? gross >= net : gross <= net, 'fees of a pool trade must not be negative')
  const [baseMint, quoteMint] = [baseMintOf(scene), otherMintOf(scene)]
  const recipient = feeRecipientOf(coin)
  const common = {
    timestamp: event.timestamp,
    user_base_token_reserves: coinIsBase ? (coin.balances.get(event.user) ?? 0) : 0,
    user_quote_token_reserves: isBaseBuy ? gross : 0,
    pool_base_token_reserves: coinIsBase ? event.poolTokenUnits : event.poolQuoteUnits,
    pool_quote_token_reserves: coinIsBase ? event.poolQuoteUnits : event.poolTokenUnits,
    lp_fee_basis_points: isFree ? 0 : POOL_FEE_BPS,
    lp_fee: fees.pool,
    protocol_fee_basis_points: isFree ? 0 : PROTOCOL_FEE_BPS,
    protocol_fee: fees.protocol,
    pool: event.pool,
    user: event.user,
    user_base_token_account: event.isAgent ? ZERO_KEY : accountOf(coin, event.user, baseMint),
    user_quote_token_account: accountOf(coin, event.user, quoteMint),
    protocol_fee_recipient: event.isAgent ? ZERO_KEY : recipient,
    protocol_fee_recipient_token_account: event.isAgent ? ZERO_KEY : accountOf(coin, recipient, quoteMint),
    coin_creator: coin.creator,
    coin_creator_fee_basis_points: isFree ? 0 : CREATOR_FEE_BPS,
    coin_creator_fee: fees.creator,
    buyback_fee_basis_points: isFree ? 0 : BUYBACK_BPS,
    buyback_fee: Math.ceil(fees.protocol / 2),
    virtual_quote_reserves: event.virtualQuoteUnits ?? 0,
    can_boost: (event.virtualQuoteUnits ?? 0) > 0,
    base_supply: coinIsBase ? Math.max(0, coin.supplyUnits - coin.burntUnits - (event.isAgent ? event.tokenUnits : 0)) : 0,
  }
  const values: EventValues = isBaseBuy
    ? {
        ...common,
        base_amount_out: base,
        max_quote_amount_in: gross,
        quote_amount_in: net,
        quote_amount_in_with_lp_fee: net + fees.pool,
        user_quote_amount_in: gross,
        min_base_amount_out: base,
        ix_name: event.isAgent ? 'buy_exact_quote_in' : ixName,
      }
    : {
        ...common,
        base_amount_in: base,
        min_quote_amount_out: Math.floor(gross / 2),
        quote_amount_out: net,
        quote_amount_out_without_lp_fee: net - fees.pool,
        user_quote_amount_out: gross,
      }
  const name = isBaseBuy ? 'BuyEvent' : 'SellEvent'
  return ['pump_amm', name, values, coinIsBase && event.virtualQuoteUnits === null ? BEFORE_VIRTUAL[name] : undefined]
}

/** Liquidity tokens: assumed to be the geometric mean of the two amounts. */
export const liquidityUnits = ({ tokenUnits, quoteUnits }: Of<'poolLiquidity'>): number =>
  Math.floor(Math.sqrt(tokenUnits) * Math.sqrt(quoteUnits))

/** Deposits and withdrawals. */
export const liquidityValues = (event: Of<'poolLiquidity'>, scene: Scene): Wire => {
  const { coin } = scene
  const [coinSide, otherSide] = event.coinIsBase ? ['base', 'quote'] : ['quote', 'base']
  const way = event.isDeposit ? 'in' : 'out'
  const [bound, lp] = event.isDeposit ? ['max', 'lp_token_amount_out'] : ['min', 'lp_token_amount_in']
  const values = {
    timestamp: event.timestamp,
    [lp]: liquidityUnits(event),
    [`${bound}_${coinSide}_amount_${way}`]: event.tokenUnits,
    [`${bound}_${otherSide}_amount_${way}`]: event.quoteUnits,
    [`user_${coinSide}_token_reserves`]: coin.balances.get(event.user) ?? 0,
    [`user_${otherSide}_token_reserves`]: event.isDeposit ? event.quoteUnits : 0,
    [`pool_${coinSide}_token_reserves`]: event.poolTokenUnits,
    [`pool_${otherSide}_token_reserves`]: event.poolQuoteUnits,
    [`${coinSide}_amount_${way}`]: event.tokenUnits,
    [`${otherSide}_amount_${way}`]: event.quoteUnits,
    lp_mint_supply: Math.floor(Math.sqrt(event.poolTokenUnits) * Math.sqrt(event.poolQuoteUnits)),
    pool: event.pool,
    user: event.user,
    user_base_token_account: accountOf(coin, event.user, baseMintOf(scene)),
    user_quote_token_account: accountOf(coin, event.user, otherMintOf(scene)),
    user_pool_token_account: tokenAccount(event.user, FIXED.token2022, lpMintOf(coin)),
  }
  return ['pump_amm', event.isDeposit ? 'DepositEvent' : 'WithdrawEvent', values]
}
