// One launched coin: its keys, curve, holders and truth; creates the events of the curve.
import { MAYHEM_AGENT, PUMP, PUMP_AMM, WSOL } from '../../../../../processors/chains/solana/programs.ts'
import { isWallet } from '../../../../../processors/chains/solana/wallet-key.ts'
import type { Key } from '../../../../../schemas/keys.ts'
import type { Random } from '../../../random.ts'
import { derived, FIXED } from '../../bytes/addresses.ts'
import type { DemoEvent, DemoInstruction, LaunchpadInstruction } from '../../market-types.ts'
import { drawName } from '../names.ts'
import { type LaunchPlan, USDC } from '../plan.ts'
import { TruthKeeper } from '../truth.ts'
import { Curve, curveFees, START_QUOTE_UNITS, START_REAL_TOKEN_UNITS, START_TOKEN_UNITS, SUPPLY_UNITS } from './curve.ts'
import { Holdings } from './holdings.ts'
import { Pool } from './pool.ts'

/** Slot and time of something that happens. */
export interface Moment {
  readonly number: number
  /** Unix seconds of the block. */
  readonly second: number
}
type Launchpad = Extract<DemoInstruction, { kind: 'launchpad' }>

/** Units of the other quote per lamport: 150 dollars a SOL, 6 decimals against 9. */
const USDC_PER_LAMPORT = 0.15
const HOLDER_REWARDS_SHARE = 0.02
const OTHER_CREATOR_SHARE = 0.02
const LEGACY_SHARE = 0.05

/** Cost of a migration in lamports, and the coins reserved for the pool. */
const MIGRATION_FEE_LAMPORTS = 15_000_001
const POOL_TOKEN_UNITS = 206_900_000_000_000
/** Lamports that a boosted pool gives away for a virtual reserve (recorded). */
const BOOST_LAMPORTS = 17_584_505_309

/** The launching wallet, and the creator that the launch names. */
interface Makers {
  readonly user: Key
  readonly creator: Key
  readonly creatorIsWallet: boolean
}

const makersOf = (random: Random, mint: Key, user: Key, freshWallet: () => Key): Makers => {
  const rewards = derived(PUMP, 'holder-rewards', mint)
  // The first bump may lie on the ed25519 curve; the program would use the next one then.
  if (random.chance(HOLDER_REWARDS_SHARE) && !isWallet(rewards)) return { user, creator: rewards, creatorIsWallet: false }
  return { user, creator: random.chance(OTHER_CREATOR_SHARE) ? freshWallet() : user, creatorIsWallet: true }
}

export class Coin {
  readonly plan: LaunchPlan
  readonly mint: Key
  readonly bondingCurve: Key
  readonly pool: Key
  readonly authority: Key
  readonly user: Key
  readonly curve: Curve
  readonly holdings = new Holdings()
  readonly truth: TruthKeeper
  readonly launch: Extract<DemoEvent, { type: 'launch' }>
  readonly launchSlot: number
  /** Quote units per lamport of the plan. */
  readonly scale: number
  readonly #isLegacy: boolean
  #creator: Key
  /** Amounts that a synthetic migration's buy took out of the future pool and paid into it. */
  #beyond = { tokenUnits: 0, quoteUnits: 0 }

  constructor(plan: LaunchPlan, user: Key, slot: Moment, random: Random, freshWallet: () => Key) {
    this.plan = plan
    this.user = user
    this.mint = random.key()
    this.bondingCurve = derived(PUMP, 'bonding-curve', this.mint)
    this.authority = derived(PUMP, 'pool-authority', this.mint)
    this.pool = derived(PUMP_AMM, 'pool', '\0\0', this.authority, this.mint, plan.quoteMint ?? WSOL)
    this.scale = plan.quoteMint === USDC ? USDC_PER_LAMPORT : 1
    this.curve = new Curve(START_QUOTE_UNITS * this.scale)
    this.launchSlot = slot.number
    this.#isLegacy = !plan.mayhem && plan.quoteMint === null && random.chance(LEGACY_SHARE)
    const makers = makersOf(random, this.mint, user, freshWallet)
    this.#creator = makers.creator
    this.launch = {
      type: 'launch',
      mint: this.mint,
      timestamp: slot.second,
      bondingCurve: this.bondingCurve,
      ...makers,
      ...drawName(random),
      tokenProgram: this.#isLegacy ? FIXED.token : FIXED.token2022,
      mayhem: plan.mayhem,
      cashback: plan.cashback,
      quoteMint: plan.quoteMint,
      virtualTokenUnits: START_TOKEN_UNITS,
      virtualQuoteUnits: this.curve.virtualQuoteUnits,
      realTokenUnits: START_REAL_TOKEN_UNITS,
      supplyUnits: SUPPLY_UNITS,
      layout: 'V6',
    }
    this.truth = new TruthKeeper(this.launch, slot.number, plan.archetype)
  }
  get createInstruction(): Launchpad {
    return this.instruction(this.#isLegacy ? 'create' : 'create_v2', this.user, [this.launch])
  }
  /** The buy instruction of the creator and its bundle. `buy` takes only SOL, `buy_v2` any quote. */
  get buyName(): LaunchpadInstruction {
    return this.plan.quoteMint === null ? 'buy' : 'buy_v2'
  }
  setCreator(creator: Key, second: number): DemoEvent {
    this.#creator = creator
    return { type: 'creatorChange', mint: this.mint, timestamp: second, creator, kind: 'SetCreatorEvent' }
  }
  /** Executes a buy; buying the last coin completes the curve. */
  buy(user: Key, tokenUnits: number, slot: Moment): DemoEvent[] {
    const quoteUnits = this.curve.buy(tokenUnits)
    const trade = this.trade(user, true, tokenUnits, quoteUnits, slot.second)
    if (this.curve.realTokenUnits > 0) return this.told([trade], slot.number)
    const { mint, bondingCurve, plan } = this
    return this.told(
      [trade, { type: 'complete', mint, timestamp: slot.second, user, bondingCurve, quoteMint: plan.quoteMint }],
      slot.number,
    )
  }
  sell(user: Key, tokenUnits: number, slot: Moment): DemoEvent[] {
    const quoteUnits = this.curve.sell(tokenUnits)
    return this.told([this.trade(user, false, tokenUnits, quoteUnits, slot.second)], slot.number)
  }
  /** The event of a trade that the curve has executed. */
  trade(user: Key, isBuy: boolean, tokenUnits: number, quoteUnits: number, second: number): DemoEvent {
    const isAgent = user === MAYHEM_AGENT
    const { fee, creatorFee } = isAgent ? { fee: 0, creatorFee: 0 } : curveFees(quoteUnits, this.plan.cashback)
    return {
      type: 'trade',
      mint: this.mint,
      timestamp: second,
      user,
      isBuy,
      isAgent,
      mayhem: this.plan.mayhem,
      quoteMint: this.plan.quoteMint,
      tokenUnits,
      quoteUnits,
      feeUnits: fee,
      creatorFeeUnits: creatorFee,
      virtualQuoteUnits: this.curve.virtualQuoteUnits,
      virtualTokenUnits: this.curve.virtualTokenUnits,
      realQuoteUnits: this.curve.realQuoteUnits,
      realTokenUnits: this.curve.realTokenUnits,
      creator: this.#creator,
      layout: 'G8',
    }
  }
  /** The part of the curve-completing buy that the pool fills: a synthetic migration. */
  buyBeyond(user: Key, spendUnits: number, slot: Moment): DemoEvent {
    const opening = this.#opening()
    const tokenUnits = opening.tokensFor(Math.round(spendUnits))
    const { quoteUnits } = opening.buy(tokenUnits)
    this.#beyond = { tokenUnits, quoteUnits }
    this.holdings.add(user, tokenUnits, Number.POSITIVE_INFINITY)
    const { mint, plan } = this
    const after = this.#opening()
    const event: DemoEvent = {
      type: 'postCompleteBuy',
      mint,
      timestamp: slot.second,
      user,
      quoteMint: plan.quoteMint,
      tokenUnits,
      quoteUnits,
      poolTokenUnitsAfter: after.tokenUnits,
      poolQuoteUnitsAfter: after.quoteUnits,
    }
    this.told([event], slot.number)
    return event
  }
  /** Migrates the curve to its pool, boosted or not. */
  migrate(user: Key, isBoosted: boolean, slot: Moment): { pool: Pool; events: DemoEvent[] } {
    const pool = this.#opening()
    const { mint, bondingCurve, plan } = this
    const { quoteMint, mayhem } = plan
    const common = { mint, timestamp: slot.second, pool: this.pool }
    const amounts = { quoteMint, tokenUnits: pool.tokenUnits, quoteUnits: pool.quoteUnits }
    const events: DemoEvent[] = [
      { type: 'poolCreate', ...common, creator: this.authority, index: 0, coinIsBase: true, ...amounts, mayhem },
      { type: 'migrate', ...common, user, bondingCurve, ...amounts, feeUnits: MIGRATION_FEE_LAMPORTS },
    ]
    if (isBoosted && pool.quoteUnits > 2 * BOOST_LAMPORTS) {
      pool.boost(BOOST_LAMPORTS)
      events.push({ type: 'poolBoost', ...common, virtualQuoteUnits: BOOST_LAMPORTS, realQuoteUnitsAfter: pool.quoteUnits })
    }
    return { pool, events: this.told(events, slot.number) }
  }
  #opening(): Pool {
    const { tokenUnits, quoteUnits } = this.#beyond
    return new Pool(POOL_TOKEN_UNITS - tokenUnits, this.curve.realQuoteUnits - MIGRATION_FEE_LAMPORTS + quoteUnits)
  }
  /** Passes the events to the truth and returns them. */
  told(events: DemoEvent[], slotNumber: number): DemoEvent[] {
    for (const event of events) this.truth.apply(event, slotNumber)
    return events
  }
  instruction(name: LaunchpadInstruction, user: Key, events: readonly DemoEvent[]): Launchpad {
    return { kind: 'launchpad', name, mint: this.mint, user, events }
  }
}
