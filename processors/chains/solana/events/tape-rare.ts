// Converts all events except trades to the tape, through the generic parser: they are rare.
import { type Amount, amountOf } from '../../../../schemas/amount.ts'
import { assert, type BadData, bad, good, type Parsed } from '../../../../schemas/errors.ts'
import type { Key } from '../../../../schemas/keys.ts'
import type { FrameTransaction, Launch, TapeEvent } from '../../../../schemas/types.ts'
import { quoteOf } from '../programs.ts'
import { isWallet } from '../wallet-key.ts'
import { findSides, sidesOf } from './amm-trade.ts'
import type { FoundEvent } from './found.ts'
import { type FieldValue, type ReadEvent, readEvent } from './read-event.ts'
import { checkAmounts, type EventHead, headOf } from './tape-read.ts'

/** Typed access to an event's fields. A field read by `key`, `num`, `amount` or `text` must be present: see `needs` of Builder. */
class Fields {
  readonly #fields: ReadonlyMap<string, FieldValue>
  constructor(fields: ReadonlyMap<string, FieldValue>) {
    this.#fields = fields
  }
  has(name: string): boolean {
    return this.#fields.has(name)
  }
  key(name: string): Key {
    const value = this.#fields.get(name)
    assert(typeof value === 'object' && 'key' in value, `${name} must be a key`)
    return value.key
  }
  num(name: string): number {
    const value = this.#fields.get(name)
    assert(typeof value === 'bigint' || typeof value === 'number', `${name} must be a number`)
    return Number(value)
  }
  amount(name: string): Amount {
    const value = this.#fields.get(name)
    assert(typeof value === 'bigint', `${name} must be an amount`)
    return amountOf(value)
  }
  text(name: string): string {
    const value = this.#fields.get(name)
    assert(typeof value === 'string', `${name} must be text`)
    return value
  }
  flag(name: string): boolean {
    return this.#fields.get(name) === true
  }
  /** The quote mint; null for SOL and for layouts that do not have it. */
  quote(name: string): Key | null {
    return this.has(name) ? quoteOf(this.key(name)) : null
  }
}

type Build = (fields: Fields, head: EventHead, found: FoundEvent, tx: FrameTransaction, event: ReadEvent) => TapeEvent | BadData

/** How an event is converted to the tape. `needs`: the last field that `build` requires; an event without it is truncated. */
interface Builder {
  readonly needs: string
  readonly build: Build
}

const buildLaunch = (f: Fields, head: EventHead, layout: string): Launch => {
  const creator = f.key(f.has('creator') ? 'creator' : 'user')
  const quoteMint = f.quote('quote_mint')
  const amount = (name: string): Amount | null => (f.has(name) ? f.amount(name) : null)
  return {
    type: 'launch',
    ...head,
    mint: f.key('mint'),
    timestamp: f.has('timestamp') ? f.num('timestamp') : null,
    bondingCurve: f.key('bonding_curve'),
    user: f.key('user'),
    creator,
    creatorIsWallet: isWallet(creator),
    name: f.text('name'),
    symbol: f.text('symbol'),
    uri: f.text('uri'),
    tokenProgram: f.has('token_program') ? f.key('token_program') : null,
    mayhem: f.flag('is_mayhem_mode'),
    cashback: f.flag('is_cashback_enabled'),
    quoteMint,
    virtualTokenUnits: amount('virtual_token_reserves'),
    virtualQuoteUnits: amount(quoteMint === null ? 'virtual_sol_reserves' : 'virtual_quote_reserves'),
    realTokenUnits: amount('real_token_reserves'),
    supplyUnits: amount('token_total_supply'),
    layout,
  }
}

const creatorChange = (needs: string, mint = 'mint'): Builder => ({
  needs,
  build: (f, head, _found, _tx, { event }) => ({
    type: 'creatorChange',
    ...head,
    mint: f.key(mint),
    timestamp: f.num('timestamp'),
    creator: f.key(needs),
    kind: event,
  }),
})

const liquidity = (suffix: 'in' | 'out'): Builder => ({
  needs: 'user_quote_token_account',
  build: (f, head, found, tx) => {
    const pool = f.key('pool')
    const [userBase, userQuote] = [f.key('user_base_token_account'), f.key('user_quote_token_account')]
    const sides = findSides(found, tx, { pool, userBase, userQuote, baseBefore: f.amount('pool_base_token_reserves') })
    if ('ok' in sides) return sides
    const [coin, other] = sides.coinIsBase ? ['base', 'quote'] : ['quote', 'base']
    return {
      type: 'poolLiquidity',
      ...head,
      ...sides,
      timestamp: f.num('timestamp'),
      pool,
      user: f.key('user'),
      isDeposit: suffix === 'in',
      tokenUnits: f.amount(`${coin}_amount_${suffix}`),
      quoteUnits: f.amount(`${other}_amount_${suffix}`),
      poolTokenUnits: f.amount(`pool_${coin}_token_reserves`),
      poolQuoteUnits: f.amount(`pool_${other}_token_reserves`),
    }
  },
})

const buildPoolCreate: Build = (f, head) => {
  const sides = sidesOf(f.key('base_mint'), f.key('quote_mint'))
  const [coin, other] = sides.coinIsBase ? ['base', 'quote'] : ['quote', 'base']
  return {
    type: 'poolCreate',
    ...head,
    ...sides,
    timestamp: f.num('timestamp'),
    pool: f.key('pool'),
    creator: f.key('creator'),
    index: f.num('index'),
    tokenUnits: f.amount(`pool_${coin}_amount`),
    quoteUnits: f.amount(`pool_${other}_amount`),
    mayhem: f.flag('is_mayhem_mode'),
  }
}

/**
 * The boost. InitBoostEvent: a pool's quote reserve gets a virtual part at the migration. BoostBuyAndBurnEvent: coins are bought later, and
 * burnt. Both state the quote reserve after the event.
 */
const boost: Builder = {
  needs: 'real_quote_reserves_after',
  build: (f, head) => ({
    type: 'poolBoost',
    ...head,
    mint: f.key('mint'),
    timestamp: f.num('timestamp'),
    pool: f.key('pool'),
    virtualQuoteUnits: f.amount('virtual_quote_reserves'),
    realQuoteUnitsAfter: f.amount('real_quote_reserves_after'),
  }),
}

const PUMP_BUILDERS: Readonly<Record<string, Builder>> = {
  CreateEvent: { needs: 'user', build: (f, head, _found, _tx, { layout }) => buildLaunch(f, head, String(layout)) },
  CompleteEvent: {
    needs: 'timestamp',
    build: (f, head) => ({
      type: 'complete',
      ...head,
      mint: f.key('mint'),
      timestamp: f.num('timestamp'),
      user: f.key('user'),
      bondingCurve: f.key('bonding_curve'),
      quoteMint: f.quote('quote_mint'),
    }),
  },
  PostCompleteBuyEvent: {
    needs: 'pool_quote_reserves_after',
    build: (f, head) => ({
      type: 'postCompleteBuy',
      ...head,
      mint: f.key('mint'),
      timestamp: f.num('timestamp'),
      user: f.key('user'),
      quoteMint: f.quote('quote_mint'),
      tokenUnits: f.amount('base_out'),
      quoteUnits: f.amount('quote_in'),
      poolTokenUnitsAfter: f.amount('pool_base_reserves_after'),
      poolQuoteUnitsAfter: f.amount('pool_quote_reserves_after'),
    }),
  },
  CompletePumpAmmMigrationEvent: {
    needs: 'pool',
    build: (f, head) => ({
      type: 'migrate',
      ...head,
      mint: f.key('mint'),
      timestamp: f.num('timestamp'),
      user: f.key('user'),
      bondingCurve: f.key('bonding_curve'),
      pool: f.key('pool'),
      quoteMint: f.quote('quote_mint'),
      tokenUnits: f.amount('mint_amount'),
      quoteUnits: f.amount('sol_amount'),
      feeUnits: f.amount('pool_migration_fee'),
    }),
  },
  UpdateMayhemVirtualParamsEvent: {
    needs: 'real_sol_reserves',
    build: (f, head) => ({
      type: 'mayhemReserves',
      ...head,
      mint: f.key('mint'),
      timestamp: f.num('timestamp'),
      virtualTokenUnits: f.amount('new_virtual_token_reserves'),
      virtualQuoteUnits: f.amount('new_virtual_sol_reserves'),
      realTokenUnits: f.amount('real_token_reserves'),
      realQuoteUnits: f.amount('real_sol_reserves'),
    }),
  },
  SetCreatorEvent: creatorChange('creator'),
  SetMetaplexCreatorEvent: creatorChange('creator'),
  MigrateBondingCurveCreatorEvent: creatorChange('new_creator'),
  AdminSetCreatorEvent: creatorChange('new_creator'),
  AdminCtoEvent: creatorChange('new_creator'),
}

const AMM_BUILDERS: Readonly<Record<string, Builder>> = {
  CreatePoolEvent: { needs: 'pool', build: buildPoolCreate },
  DepositEvent: liquidity('in'),
  WithdrawEvent: liquidity('out'),
  InitBoostEvent: boost,
  BoostBuyAndBurnEvent: boost,
  AdminSetCoinCreatorEvent: creatorChange('new_coin_creator', 'base_mint'),
  AdminCtoPoolEvent: creatorChange('new_coin_creator', 'base_mint'),
  MigratePoolCoinCreatorEvent: creatorChange('new_coin_creator', 'base_mint'),
  SetBondingCurveCoinCreatorEvent: creatorChange('coin_creator', 'base_mint'),
  SetMetaplexCoinCreatorEvent: creatorChange('coin_creator', 'base_mint'),
}

/**
 * Converts any event except trades; undefined for events that the tape does not carry (fee claims, settings). Those are parsed too, so that
 * damaged ones become dead letters.
 */
export const readRare = (found: FoundEvent, tx: FrameTransaction): Parsed<TapeEvent | undefined> => {
  const read = readEvent(found.program, found.bytes)
  if (!read.ok) return read
  const { event, fields } = read.value
  const builder = (found.program === 'pump' ? PUMP_BUILDERS : AMM_BUILDERS)[event]
  if (builder === undefined) return good(undefined)
  if (!fields.has(builder.needs)) return bad('truncated', `${event} ends before ${builder.needs}`)
  const built = builder.build(new Fields(fields), headOf(found, tx), found, tx, read.value)
  return 'ok' in built ? built : checkAmounts(built)
}
