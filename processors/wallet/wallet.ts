// The wallet fold: SOL payments to a wallet in the last 30 minutes. Mints request them, as of the position of a launch or of a first buy.
import { assert } from '../../schemas/errors.ts'
import { comparePositions, type PositionInChain } from '../../schemas/position.ts'
import type { Fact, FundingAsked, Payment, PaymentRow, TapeEvent, Transfer, WalletFiguresRow } from '../../schemas/types.ts'
import type { At, Context, Processor } from '../contract.ts'
import { CREATOR } from '../creator/rows.ts'
import { MINT } from '../mint/rows.ts'
import type { TapeHeader } from '../tape.ts'

/** Name of the processor: mints send their requests to it. */
export const WALLET = 'wallet'
/** How far back a payment counts as funding, seconds. */
export const FUNDING_S = 1_800
/** A request comes up to 11 slots after the moment that it is about, so payments are kept a little longer. */
const KEEP_S = FUNDING_S + 120
/** Maximum number of payments kept of a wallet, the newest: exchanges are paid all day. */
const PAYMENTS_MAX = 16
/** Maximum number of funders in an answer. */
const FUNDERS_MAX = 4
const FORGET_TIMER = 'forget'

/** Rows of a wallet by kind. figures is single, payments are keyed by their number % 16. */
export type WalletRows = {
  payments: PaymentRow
  figures: WalletFiguresRow
}
/** The wallet emits nothing to the log: it answers mints, and asks the newest funder for its record. */
type WalletSent = 'funded' | 'funderAsked'
type WalletContext = Context<WalletRows, never, WalletSent>

const apply = (ctx: WalletContext, { funder, amountLamports }: Transfer, at: At<TapeHeader>): void => {
  const { time } = at.header
  const figures = ctx.edit('figures', undefined, () => ({ payments: 0, lastAt: time }))
  if (figures.payments === 0) ctx.schedule(FORGET_TIMER, time + KEEP_S)
  const n = figures.payments % PAYMENTS_MAX
  figures.payments += 1
  figures.lastAt = time
  const { number, tx, outer, inner } = at.position
  const payment = { n, funder, amountLamports, at: time, number, tx, outer, inner }
  Object.assign(
    ctx.edit('payments', n, () => payment),
    payment,
  )
}

/** Payments in the 30 minutes before the moment that the request is about: of each funder the newest, newest first, at most FUNDERS_MAX. */
const paymentsBefore = (payments: Iterable<Readonly<PaymentRow>>, asked: PositionInChain, askedAt: number): Payment[] => {
  const before = Array.from(payments)
    .filter((row) => comparePositions(row, asked) < 0 && row.at >= askedAt - FUNDING_S)
    .sort((a, b) => comparePositions(b, a))
  return before
    .filter(({ funder }, i) => before.findIndex((other) => other.funder === funder) === i)
    .slice(0, FUNDERS_MAX)
    .map(({ n: _, ...payment }) => payment)
}

const answer = (ctx: WalletContext, fact: Fact, { at, launched }: FundingAsked, observedSince: number): void => {
  const payments = paymentsBefore(ctx.rows('payments'), fact, at)
  const [newest] = payments
  if (newest === undefined && !launched) return
  ctx.send(fact.fromKey, { type: 'funded', launched, observedSince, payments })
  if (!launched || newest === undefined) return
  const { fromKey: mint, number, tx, outer, inner } = fact
  ctx.send(newest.funder, { type: 'funderAsked', mint, at, number, tx, outer, inner })
}

/** Key = wallet that was paid. It forgets payments that no request can reach any more. */
export const walletProcessor: Processor<WalletRows, TapeEvent, never, TapeHeader, WalletSent> = {
  name: WALLET,
  version: 3,
  sends: { funded: MINT, funderAsked: CREATOR },
  keyOf: (event) => (event.type === 'transfer' ? event.wallet : undefined),
  apply: (ctx, event, at) => {
    if (event.type === 'transfer') apply(ctx, event, at)
  },
  onTime: (ctx, _name, at) => {
    const figures = ctx.read('figures')
    if (figures === undefined) return
    const due = figures.lastAt + KEEP_S
    if (at.header.time < due) ctx.schedule(FORGET_TIMER, due)
    else ctx.forget()
  },
  onFact: (ctx, fact, at) => {
    assert(fact.body.type === 'fundingAsked', `a wallet receives no ${fact.body.type} messages`)
    answer(ctx, fact, fact.body, at.since)
  },
}
