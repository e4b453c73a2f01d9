// The wallets behind a launch: the creator, its funder, and the wallets that secretly belong to them.
import type { Key } from '../../../../schemas/keys.ts'
import type { Random } from '../../random.ts'
import type { LaunchPlan } from './plan.ts'
import type { Population } from './wallets.ts'

const SOL = 1_000_000_000
/** Share of other launches whose creator is new. Recorded: first-time creators launch 38 % of all coins. */
const FIRST_TIMER_SHARE = 0.4
/** Share of creators funded shortly before the launch; assumed, except that fresh wallets of serial ruggers are always funded. */
const FUNDED_SHARE = 0.45
/** Payments come this long before the launch, ms: the rules look back half an hour. */
const LEAD_MS: readonly [number, number] = [20_000, 27 * 60_000]
const RECEIVERS_SHARE = 0.3

/** SOL sent between wallets, `leadMs` before the launch. */
interface Payment {
  readonly leadMs: number
  readonly source: Key
  readonly targets: readonly { readonly target: Key; readonly lamports: number }[]
}

export interface Team {
  readonly user: Key
  readonly payments: readonly Payment[]
  /** Wallets of the bundle, as many as planned. */
  readonly bundle: readonly Key[]
  /** Wallets funded by the creator's funder: `buyers` buy, `receivers` get coins from the creator. */
  readonly buyers: readonly Key[]
  readonly receivers: readonly Key[]
}

const lead = (random: Random): number => random.between(...LEAD_MS)

/** One transaction for all insiders, or one for each: both occur. */
const insiderPayments = (random: Random, source: Key, insiders: readonly Key[]): Payment[] => {
  const targets = insiders.map((target) => ({ target, lamports: Math.round(SOL * random.between(0.15, 3)) }))
  return random.chance(0.4)
    ? [{ leadMs: lead(random), source, targets }]
    : targets.map((one) => ({ leadMs: lead(random), source, targets: [one] }))
}

/** Draws the team of a planned launch. */
export const drawTeam = (plan: LaunchPlan, random: Random, population: Population): Team => {
  const isSerial = plan.archetype === 'serial_rugger'
  const rugger = isSerial || plan.archetype === 'funded_insiders' ? population.rugger() : undefined
  const isFresh = rugger?.hidesBehindFresh ?? random.chance(FIRST_TIMER_SHARE)
  const user = isFresh ? population.fresh() : (rugger?.wallet ?? population.returningCreator())
  const bundle = Array.from({ length: plan.bundleWallets }, (_none, n) => rugger?.ring[n] ?? random.key())
  const insiders = Array.from({ length: plan.insiders }, () => population.fresh())
  const funder = rugger?.funder ?? (random.chance(0.6) ? population.exchange() : population.stranger())
  const payments: Payment[] = []
  if (isFresh && rugger !== undefined ? true : random.chance(FUNDED_SHARE)) {
    const lamports = Math.round(plan.devBuyLamports * 1.05 + SOL * random.between(0.12, 2))
    payments.push({ leadMs: lead(random), source: funder, targets: [{ target: user, lamports }] })
  }
  if (insiders.length > 0) payments.push(...insiderPayments(random, funder, insiders))
  const receivers = plan.devBuyLamports > 0 ? insiders.slice(0, Math.floor(insiders.length * RECEIVERS_SHARE)) : []
  return { user, payments, bundle, buyers: insiders.slice(receivers.length), receivers }
}
