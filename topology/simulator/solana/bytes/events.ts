// Encodes events of the simulated market with every field that the programs log; fields that the tape omits get plausible values.
import { type ProgramName, WSOL, ZERO_KEY } from '../../../../processors/chains/solana/programs.ts'
import { assert, unreachable } from '../../../../schemas/errors.ts'
import type { Key } from '../../../../schemas/keys.ts'
import type { DemoEvent, LaunchpadInstruction } from '../market-types.ts'
import { boostVaultOf, feeRecipientOf, lpMintOf, type Scene } from './accounts-of.ts'
import { type EventValues, eventBytes, type Wire } from './event-bytes.ts'
import { someUnits } from './ledger.ts'
import { liquidityValues, poolTradeValues } from './pool-events.ts'

type Of<Type extends DemoEvent['type']> = Extract<DemoEvent, { type: Type }>

/** Basis points on the curve: protocol fee, creator fee, and the part of the protocol fee that buys back. */
const CURVE_FEE_BPS = 95
const CREATOR_FEE_BPS = 30
const BUYBACK_BPS = 5_000

/** The buy-back's part of a protocol fee: half, rounded up as in recorded events. */
export const buybackOf = (feeUnits: number): number => Math.ceil(feeUnits / 2)

/** An instruction's name in trade events: without prefix and version, so that `buy_v2` is `buy` there. */
const ixName = (name: LaunchpadInstruction): string => name.replace(/^amm_|_v2$/g, '')

/** The number of a layout's generation: G8 and V6 count from 0. */
const generationOf = (layout: string): number => Number(layout.slice(1))
const zeroForSol = (quoteMint: Key | null): Key => quoteMint ?? ZERO_KEY
/** The value of SOL fields: 0 on curves with another quote. */
const ifSol = (quoteMint: Key | null, units: number | null): number => (quoteMint === null ? (units ?? 0) : 0)

const launchValues = (event: Of<'launch'>): EventValues => ({
  name: event.name,
  symbol: event.symbol,
  uri: event.uri,
  mint: event.mint,
  bonding_curve: event.bondingCurve,
  user: event.user,
  creator: event.creator,
  timestamp: event.timestamp ?? 0,
  virtual_token_reserves: event.virtualTokenUnits ?? 0,
  virtual_sol_reserves: ifSol(event.quoteMint, event.virtualQuoteUnits),
  real_token_reserves: event.realTokenUnits ?? 0,
  token_total_supply: event.supplyUnits ?? 0,
  token_program: event.tokenProgram ?? ZERO_KEY,
  is_mayhem_mode: event.mayhem,
  is_cashback_enabled: event.cashback,
  quote_mint: zeroForSol(event.quoteMint),
  virtual_quote_reserves: event.virtualQuoteUnits ?? 0,
})

const tradeValues = (event: Of<'trade'>, { coin }: Scene, name: LaunchpadInstruction): EventValues => {
  const { quoteMint, quoteUnits } = event
  const fee = event.feeUnits ?? 0
  const creatorFee = event.creatorFeeUnits ?? 0
  const isFree = fee === 0
  return {
    mint: event.mint,
    sol_amount: ifSol(quoteMint, quoteUnits),
    token_amount: event.tokenUnits,
    is_buy: event.isBuy,
    user: event.user,
    timestamp: event.timestamp,
    virtual_sol_reserves: ifSol(quoteMint, event.virtualQuoteUnits),
    virtual_token_reserves: event.virtualTokenUnits,
    real_sol_reserves: ifSol(quoteMint, event.realQuoteUnits),
    real_token_reserves: event.realTokenUnits ?? 0,
    fee_recipient: feeRecipientOf(coin),
    fee_basis_points: isFree ? 0 : CURVE_FEE_BPS,
    fee,
    creator: event.creator ?? ZERO_KEY,
    creator_fee_basis_points: creatorFee === 0 ? 0 : CREATOR_FEE_BPS,
    creator_fee: creatorFee,
    ix_name: ixName(name),
    mayhem_mode: event.mayhem,
    cashback_fee_basis_points: coin.cashback && !isFree ? CREATOR_FEE_BPS : 0,
    cashback: coin.cashback && !isFree ? Math.ceil((quoteUnits * CREATOR_FEE_BPS) / 10_000) : 0,
    buyback_fee_basis_points: isFree ? 0 : BUYBACK_BPS,
    buyback_fee: buybackOf(fee),
    quote_mint: zeroForSol(quoteMint),
    quote_amount: quoteUnits,
    virtual_quote_reserves: event.virtualQuoteUnits,
    real_quote_reserves: event.realQuoteUnits ?? 0,
  }
}

const postCompleteValues = (event: Of<'postCompleteBuy'>, { coin }: Scene): EventValues => ({
  user: event.user,
  mint: event.mint,
  bonding_curve: coin.bondingCurve,
  quote_mint: zeroForSol(event.quoteMint),
  timestamp: event.timestamp,
  base_out: event.tokenUnits,
  quote_in: event.quoteUnits,
  pool_base_reserves_before: event.poolTokenUnitsAfter + event.tokenUnits,
  pool_quote_reserves_before: event.poolQuoteUnitsAfter - event.quoteUnits,
  pool_base_reserves_after: event.poolTokenUnitsAfter,
  pool_quote_reserves_after: event.poolQuoteUnitsAfter,
})

const migrateValues = (event: Of<'migrate'>): EventValues => ({
  user: event.user,
  mint: event.mint,
  mint_amount: event.tokenUnits,
  sol_amount: event.quoteUnits,
  pool_migration_fee: event.feeUnits,
  bonding_curve: event.bondingCurve,
  timestamp: event.timestamp,
  pool: event.pool,
  quote_mint: zeroForSol(event.quoteMint),
})

const poolCreateValues = (event: Of<'poolCreate'>, { coin }: Scene): EventValues => {
  const [coinSide, otherSide] = event.coinIsBase ? ['base', 'quote'] : ['quote', 'base']
  assert(event.coinIsBase || event.quoteMint === null, 'a coin is the quote side only of SOL')
  const liquidity = Math.floor(Math.sqrt(event.tokenUnits) * Math.sqrt(event.quoteUnits))
  return {
    timestamp: event.timestamp,
    index: event.index,
    creator: event.creator,
    [`${coinSide}_mint`]: event.mint,
    [`${otherSide}_mint`]: event.quoteMint ?? WSOL,
    [`${coinSide}_mint_decimals`]: 6,
    [`${otherSide}_mint_decimals`]: event.quoteMint === null ? 9 : 6,
    [`${coinSide}_amount_in`]: event.tokenUnits,
    [`${otherSide}_amount_in`]: event.quoteUnits,
    [`pool_${coinSide}_amount`]: event.tokenUnits,
    [`pool_${otherSide}_amount`]: event.quoteUnits,
    minimum_liquidity: 100,
    initial_liquidity: liquidity,
    lp_token_amount_out: Math.max(0, liquidity - 100),
    pool_bump: 255,
    pool: event.pool,
    lp_mint: lpMintOf({ ...coin, pool: event.pool }),
    coin_creator: coin.creator,
    is_mayhem_mode: event.mayhem,
  }
}

/** Events that name a new creator differ only in the field's name; their other fields are left empty. */
const creatorValues = (event: Of<'creatorChange'>, { coin }: Scene): EventValues => ({
  timestamp: event.timestamp,
  mint: event.mint,
  bonding_curve: coin.bondingCurve,
  ...(event.kind === 'SetCreatorEvent' || event.kind === 'SetMetaplexCreatorEvent'
    ? { creator: event.creator }
    : { old_creator: coin.creator, new_creator: event.creator }),
})

/** `bought`: the trade of the same instruction. Before it, the vault has what every untracked account has. */
const boughtValues = (event: Of<'poolBoost'>, { coin, user }: Scene, bought: Of<'poolTrade'>): EventValues => ({
  timestamp: event.timestamp,
  mint: event.mint,
  bonding_curve: coin.bondingCurve,
  pool: event.pool,
  authority: user,
  quote_amount_in_requested: bought.quoteUnits,
  quote_amount_in_used: bought.quoteUnits,
  base_amount_burned: bought.tokenUnits,
  virtual_quote_reserves: event.virtualQuoteUnits,
  real_quote_reserves_after: event.realQuoteUnitsAfter,
  base_reserves_after: bought.poolTokenUnits - bought.tokenUnits,
  boost_vault_remaining: Math.max(0, someUnits(boostVaultOf(event.pool)) - bought.quoteUnits),
})

/** The events of an instruction, and its name. */
export interface Call {
  readonly name: LaunchpadInstruction
  readonly events: readonly DemoEvent[]
}

const wireOf = (event: DemoEvent, scene: Scene, { name, events }: Call): Wire => {
  const { coin } = scene
  switch (event.type) {
    case 'launch':
      return ['pump', 'CreateEvent', launchValues(event), generationOf(event.layout)]
    case 'trade':
      return ['pump', 'TradeEvent', tradeValues(event, scene, name), generationOf(event.layout)]
    case 'complete': {
      const { user, mint, bondingCurve, timestamp, quoteMint } = event
      return ['pump', 'CompleteEvent', { user, mint, bonding_curve: bondingCurve, timestamp, quote_mint: zeroForSol(quoteMint) }]
    }
    case 'postCompleteBuy':
      return ['pump', 'PostCompleteBuyEvent', postCompleteValues(event, scene)]
    case 'migrate':
      return ['pump', 'CompletePumpAmmMigrationEvent', migrateValues(event)]
    case 'poolCreate':
      return ['pump_amm', 'CreatePoolEvent', poolCreateValues(event, scene)]
    case 'poolTrade':
      return poolTradeValues(event, scene, ixName(name))
    case 'poolLiquidity':
      return liquidityValues(event, scene)
    case 'poolBoost': {
      const bought = events.find((one) => one.type === 'poolTrade')
      if (bought?.type === 'poolTrade') return ['pump_amm', 'BoostBuyAndBurnEvent', boughtValues(event, scene, bought)]
      const { timestamp, mint, pool, virtualQuoteUnits, realQuoteUnitsAfter } = event
      const reserves = { virtual_quote_reserves: virtualQuoteUnits, real_quote_reserves_after: realQuoteUnitsAfter }
      return ['pump_amm', 'InitBoostEvent', { timestamp, mint, bonding_curve: coin.bondingCurve, pool, ...reserves }]
    }
    case 'creatorChange':
      return ['pump', event.kind, creatorValues(event, scene)]
    case 'mayhemReserves': {
      const old = { virtual_token_reserves: coin.virtualTokenUnits, virtual_sol_reserves: coin.virtualQuoteUnits }
      const now = { new_virtual_token_reserves: event.virtualTokenUnits, new_virtual_sol_reserves: event.virtualQuoteUnits }
      const real = { real_token_reserves: event.realTokenUnits, real_sol_reserves: event.realQuoteUnits }
      return ['pump', 'UpdateMayhemVirtualParamsEvent', { timestamp: event.timestamp, mint: event.mint, ...old, ...now, ...real }]
    }
    default:
      return unreachable(event)
  }
}

/** Data of the call by which the event is logged, and the program that calls itself. The scene is the state before the event. */
export const callOf = (event: DemoEvent, scene: Scene, call: Call): { readonly program: ProgramName; readonly data: Buffer } => {
  const [program, kind, values, generation] = wireOf(event, scene, call)
  return { program, data: eventBytes(program, kind, values, generation) }
}
