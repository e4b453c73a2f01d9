// Transfers that an event causes: coins between owners, and the quote between accounts, so that each transaction's balances add up.
import { MAYHEM_AGENT } from '../../../../processors/chains/solana/programs.ts'
import type { Key } from '../../../../schemas/keys.ts'
import type { DemoEvent, LaunchpadInstruction } from '../market-types.ts'
import { boostVaultOf, creatorVaultOf, feeRecipientOf, poolCreatorVaultOf } from './accounts-of.ts'
import { FIXED } from './addresses.ts'
import type { Coin } from './coins.ts'
import { buybackOf } from './events.ts'
import { poolFees } from './pool-events.ts'

/** A transfer of value between owners. */
export interface QuoteMove {
  readonly source: Key
  readonly target: Key
  readonly units: number
  /** `rent` is always lamports; `quote` is lamports if the coin is paid in SOL, else tokens of the quote mint. */
  readonly what: 'rent' | 'quote'
  /** Sides that hold wrapped SOL: pools, and the accounts that receive their fees. */
  readonly wrapped: 'source' | 'target' | 'both' | 'none'
}

/** Rent exemption in lamports. */
export const TOKEN_RENT_LAMPORTS = 2_039_280
const MINT_RENT_LAMPORTS = 2_656_840
export const CURVE_RENT_LAMPORTS = 1_346_200

const plain = (source: Key, target: Key, units: number): QuoteMove => ({ source, target, units, what: 'quote', wrapped: 'none' })

const rent = (source: Key, target: Key, units: number): QuoteMove => ({ ...plain(source, target, units), what: 'rent' })

const tradeMoves = (event: Extract<DemoEvent, { type: 'trade' }>, coin: Coin): QuoteMove[] => {
  const { user, quoteUnits } = event
  const fee = event.feeUnits ?? 0
  const buyback = buybackOf(fee)
  const payer = event.isBuy ? user : coin.bondingCurve
  return [
    plain(payer, event.isBuy ? coin.bondingCurve : user, event.isBuy ? quoteUnits : quoteUnits - fee - (event.creatorFeeUnits ?? 0)),
    plain(payer, feeRecipientOf(coin), fee - buyback),
    plain(payer, FIXED.buyback, buyback),
    plain(payer, creatorVaultOf(coin), event.creatorFeeUnits ?? 0),
  ]
}

const poolTradeMoves = (event: Extract<DemoEvent, { type: 'poolTrade' }>, coin: Coin): QuoteMove[] => {
  const { user, pool, isBuy, quoteUnits } = event
  const fees = event.coinIsBase ? poolFees(event) : { pool: 0, creator: 0, protocol: 0 }
  const what = 'quote'
  const wrapped = event.isAgent ? 'both' : isBuy ? 'target' : 'source'
  const feeSource = isBuy ? user : pool
  const feeWrapped = isBuy ? 'target' : 'both'
  const ownUnits = isBuy ? quoteUnits + fees.pool : event.userQuoteUnits
  return [
    { source: isBuy ? user : pool, target: isBuy ? pool : user, units: ownUnits, what, wrapped },
    { source: feeSource, target: feeRecipientOf(coin), units: fees.protocol, what, wrapped: feeWrapped },
    { source: feeSource, target: poolCreatorVaultOf(coin), units: fees.creator, what, wrapped: feeWrapped },
  ]
}

/** Quote transfers of an event of the instruction; `coin` is the state before it. */
export const quoteMoves = (event: DemoEvent, coin: Coin, name: LaunchpadInstruction): readonly QuoteMove[] => {
  switch (event.type) {
    case 'launch':
      return [rent(event.user, event.mint, MINT_RENT_LAMPORTS), rent(event.user, event.bondingCurve, CURVE_RENT_LAMPORTS)]
    case 'trade':
      return event.user === MAYHEM_AGENT && event.quoteUnits === 0 ? [] : tradeMoves(event, coin)
    case 'postCompleteBuy':
      return [plain(event.user, coin.bondingCurve, event.quoteUnits)]
    case 'migrate':
      return [
        { source: coin.bondingCurve, target: event.pool, units: event.quoteUnits, what: 'quote', wrapped: 'target' },
        plain(coin.bondingCurve, FIXED.withdrawAuthority, event.feeUnits),
      ]
    case 'poolBoost':
      if (name === 'amm_boost_buy_and_burn') return []
      return [{ source: event.pool, target: boostVaultOf(event.pool), units: event.virtualQuoteUnits, what: 'quote', wrapped: 'both' }]
    case 'poolTrade':
      return poolTradeMoves(event, coin)
    case 'poolLiquidity':
      return [
        event.isDeposit
          ? { source: event.user, target: event.pool, units: event.quoteUnits, what: 'quote', wrapped: 'target' }
          : { source: event.pool, target: event.user, units: event.quoteUnits, what: 'quote', wrapped: 'source' },
      ]
    default:
      return []
  }
}
