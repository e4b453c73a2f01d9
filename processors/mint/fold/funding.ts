// Payments to the creator and to buyers before they launched or bought: insider rule (b), and the warm launch of the card.
import { type Key, keyText } from '../../../schemas/keys.ts'
import { formatPosition } from '../../../schemas/position.ts'
import type { Fact, Funded, FunderPrior, HolderRow, LaunchRow, MintState, WaitingRow, WarmRow } from '../../../schemas/types.ts'
import type { ChainFacts } from '../../chains/chain.ts'
import { funderPrior } from '../../creator/funded-recently.ts'
import type { TapeAt } from '../../tape.ts'
import { FUNDING_S } from '../../wallet/wallet.ts'
import { solOf } from '../card/amounts.ts'
import { explain } from '../card/explain.ts'
import { isDev, type MintContext, ROLE_DEV, ROLE_FUNDED } from '../rows.ts'
import { gainRole } from './roles.ts'

/** The wallet whose funding counts for the launch: the creator, or the caller of create where the creator is a program address. */
const fundedOf = ({ creator, creatorIsWallet, user }: Readonly<LaunchRow>): Key => (creatorIsWallet ? creator : user)

/** Requests the payments to the creator before the launch. */
export const requestCreatorFunding = (ctx: MintContext, launch: Readonly<LaunchRow>): void =>
  ctx.send(fundedOf(launch), { type: 'fundingAsked', at: launch.at, launched: true })

/** Requests the payments to a buyer before its first buy, at `second`. */
export const requestFunders = (ctx: MintContext, wallet: Key, second: number): void =>
  ctx.send(wallet, { type: 'fundingAsked', at: second, launched: false })

type Funders = Pick<WaitingRow, 'funder' | 'funder2' | 'funder3' | 'funder4'>

const fundersOf = ({ payments }: Funded): Funders => {
  const [funder = null, funder2 = null, funder3 = null, funder4 = null] = payments.map((payment) => payment.funder)
  return { funder, funder2, funder3, funder4 }
}
const listOf = ({ funder, funder2, funder3, funder4 }: Readonly<Funders>): Key[] =>
  [funder, funder2, funder3, funder4].filter((key) => key !== null)

/** What is known once the creator has answered, and the tick of the answer. */
interface Answered {
  readonly launch: Readonly<LaunchRow>
  readonly warm: Readonly<WarmRow>
  readonly at: TapeAt
}

/**
 * Sets the funder of a buyer. If a wallet of the dev set or a funder of the creator paid the buyer, the buyer is an insider (rule b), and
 * that payer is stored; otherwise the newest funder is.
 */
const judge = (ctx: MintContext, holder: HolderRow, funders: readonly Key[], { launch, warm, at }: Answered): void => {
  if ((holder.roles & ROLE_DEV) !== 0) return
  const ofCreator = listOf(warm)
  const insider = funders.find((funder) => isDev(launch, funder) || ofCreator.includes(funder))
  holder.funder = insider ?? funders[0] ?? null
  if (insider !== undefined) gainRole(ctx, launch, holder, ROLE_FUNDED, { at, second: at.header.time }, insider)
}

const takeWarmth = (ctx: MintContext, launch: Readonly<LaunchRow>, fact: Funded, tick: TapeAt): void => {
  const [newest] = fact.payments
  const { amountLamports, at, number, tx, outer, inner } = newest ?? { amountLamports: 0, at: 0, number: -1, tx: 0, outer: 0, inner: 0 }
  const prior = { priorLaunches: -1, priorResolved: 0, priorRugged: 0 }
  const place = { amountLamports, at, number, tx, outer, inner, observedSince: fact.observedSince }
  const warm = ctx.edit('warm', undefined, () => ({ ...fundersOf(fact), ...place, ...prior }))
  for (const { wallet, ...funders } of Array.from(ctx.rows('waiting')).sort((a, b) => (a.wallet < b.wallet ? -1 : 1))) {
    if (ctx.read('holders', wallet) !== undefined) judge(ctx, ctx.edit('holders', wallet), listOf(funders), { launch, warm, at: tick })
    ctx.remove('waiting', wallet)
  }
}

/** Applies a wallet's answer. An answer for a buyer that comes before the creator's waits for that one. */
export const storeFunding = (ctx: MintContext, { fromKey }: Fact, fact: Funded, at: TapeAt): void => {
  const launch = ctx.read('launch')
  if (launch === undefined) return
  const warm = ctx.read('warm')
  const funders = fundersOf(fact)
  if (fact.launched) takeWarmth(ctx, launch, fact, at)
  else if (warm === undefined) ctx.edit('waiting', fromKey, () => ({ wallet: fromKey, ...funders }))
  else if (ctx.read('holders', fromKey) !== undefined) judge(ctx, ctx.edit('holders', fromKey), listOf(funders), { launch, warm, at })
}

/** Applies the record of the creator's newest funder: what that wallet has launched itself. */
export const storeFunderPrior = (ctx: MintContext, { launches, resolved, rugged }: FunderPrior): void => {
  if (ctx.read('warm') === undefined) return
  const warm = ctx.edit('warm')
  warm.priorLaunches = launches
  warm.priorResolved = resolved
  warm.priorRugged = rugged
}

const NOT_ANSWERED = 'pending: the record of the funder is known some 16 slots after the launch'

const funderPriorPart = ({ priorLaunches: launches, priorResolved: resolved, priorRugged: rugged }: WarmRow) =>
  explain(
    {
      funder_is_creator: launches < 0 ? null : launches > 0,
      funder_prior: launches < 0 ? null : funderPrior({ launches, resolved, rugged }, 'no launch of the funder had resolved'),
    },
    { funder_is_creator: NOT_ANSWERED, funder_prior: NOT_ANSWERED },
  )

const withoutReason = ({ launch, stub, warm }: Pick<MintState, 'launch' | 'stub' | 'warm'>): string => {
  if (stub !== null) return 'the rows of the mint were removed'
  if (launch === null) return 'its launch is not stored'
  if (!launch.placed) return 'the slot of the launch is not known'
  if (warm === null) return 'pending: payments to the creator are known 8 to 11 slots after the launch'
  const since = launch.at - FUNDING_S
  const seen = 'no payment of 0.1 SOL or more to the creator was seen'
  return warm.observedSince <= since
    ? `${seen} in the ${FUNDING_S / 60} minutes before the launch`
    : `${seen} since ${warm.observedSince} (unix seconds): payments before are not known`
}

/** The newest payment to the creator in the 30 minutes before the launch. */
export const warmLaunchPart = (state: Pick<MintState, 'launch' | 'stub' | 'warm'>, { name: chain }: ChainFacts) => {
  const { launch, warm } = state
  const funder = warm?.funder ?? null
  if (launch === null || warm === null || funder === null) return { warm_launch: null, warm_launch_reason: withoutReason(state) }
  return {
    warm_launch: {
      funder: keyText(funder),
      amount_sol: solOf(warm.amountLamports),
      funded_at: warm.at,
      seconds_before_launch: Math.max(0, launch.at - warm.at),
      position: formatPosition({ chain, ...warm }),
      ...funderPriorPart(warm),
    },
  }
}
