// `/v1/mint/{mint}`: the card of a mint; always 200 for an address.

import type { AccountsRead } from '../../../processors/accounts.ts'
import { recordFrom } from '../../../processors/mint/card/history.ts'
import { confidenceOf, coverageOf } from '../../../processors/mint/card/moment.ts'
import { type Key, keyText } from '../../../schemas/keys.ts'
import type { MintState, StubRow } from '../../../schemas/types.ts'
import type { QueryResult, SettledLaunch, Unanswered } from '../../../topology/ports/history.ts'
import { type Answer, historyUnavailable } from '../../questions/bodies.ts'
import { address } from '../../questions/params.ts'
import { delayed } from '../delay.ts'
import { type Answered, enveloped, newest, type RequestContext } from '../question.ts'
import type { Instant, Service } from '../service.ts'
import { type CardText, cardText } from './card-text.ts'
import { withFinality } from './finality-text.ts'

export const mintParams = { mint: address('Token address: base58, 32 bytes.') }

/** Rows of an unobserved mint. */
const UNSEEN: MintState = {
  launch: null,
  curve: null,
  holders: [],
  flows: [],
  flags: [],
  proofs: [],
  changes: [],
  outcome: null,
  stub: null,
  pools: [],
  steps: [],
  warm: null,
  waiting: [],
  folded: null,
  timers: [],
  prior: null,
}

/** Synchronous with full coverage; thin cards also read the chain's accounts. */
export const answerMint = ({ mint }: { readonly mint: Key }, ask: RequestContext): Answered => {
  const head = ask.service.options.view.get(mint)?.head
  const { coverage } = coverageOf(head ?? UNSEEN, ask.instant.moment)
  return coverage === 'full' ? answerCard(mint, ask) : answerThin(mint, ask, mayBeForgotten(head))
}

/** An evicted launch has no row, or only rows of later trades; the history has its record. */
const mayBeForgotten = (head: Pick<MintState, 'launch' | 'stub'> | undefined): boolean =>
  head === undefined || (head.launch === null && head.stub === null)

const busy = (reason: string): Answer => historyUnavailable(`this card needs the record of the launch: ${reason}`)

/** Refuses a thin card while the history is too busy for its record. While the history is down, the card states that instead. */
export const mintPrecheck = (
  { mint }: { readonly mint: Key },
  { service, instant }: RequestContext,
): Answer | null | Promise<Answer | null> => {
  const { history, view } = service.options
  const head = view.get(mint)?.head
  if (history === undefined || !mayBeForgotten(head) || coverageOf(head ?? UNSEEN, instant.moment).coverage === 'full') return null
  return history.settled(mint, 'quote').then((settled) => (isMissed(settled) ? busy(settled.reason) : null))
}

const isMissed = (settled: QueryResult<unknown> | undefined): settled is Unanswered => settled?.ok === false && settled.isBusy === true

/** Queries chain and history concurrently; the card has the reason for those that do not respond. */
const answerThin = async (mint: Key, ask: RequestContext, asksHistory: boolean): Promise<Answer> => {
  const { accounts, history } = ask.service.options
  const [read, settled] = await Promise.all([accounts?.read(mint) ?? NO_CHAIN, asksHistory ? history?.settled(mint, 'paid') : undefined])
  if (isMissed(settled)) return busy(settled.reason)
  const instant = { ...newest(ask), unsold: ask.instant.unsold }
  return answerCard(mint, { ...ask, instant }, { accounts: read, ...(settled === undefined ? {} : { settled }) })
}

const NO_CHAIN: AccountsRead = { ok: false, reason: 'this server has no access to accounts of the chain' }

interface CardOptions {
  /** Delay of a free card, seconds. */
  readonly delayedS?: number
  /** Absent: accounts were not read. */
  readonly accounts?: AccountsRead
  /** The history's record of a mint without rows; absent: not queried. */
  readonly settled?: QueryResult<SettledLaunch | null>
}

/** The paid card, or with `delayedS` the free one of the same shape. */
export const answerCard = (mint: Key, ask: RequestContext, { delayedS, ...asked }: CardOptions = {}): Answer => {
  const { service, instant } = ask
  const card = cardOf(mint, service, delayedS === undefined ? instant : delayed(instant), asked)
  const confidence = confidenceOf(card.coverage, card.trades, instant.feed.feedLagS)
  const data = `${withFinality(card, service.finalityOf)},"confidence":"${confidence}",${service.baseRatesText()}}`
  return enveloped(ask, { coverage: card.coverage, data, next: nextOf(mint, card), ...(delayedS !== undefined && { delayedS }) })
}

/** Caches only texts without accounts, which depend only on rows and moment. */
const cardOf = (mint: Key, service: Service, { moment }: Instant, { accounts, settled }: Omit<CardOptions, 'delayedS'>): CardText => {
  const snapshot = service.options.view.get(mint)
  if (snapshot !== undefined && accounts === undefined) return service.cards.get(snapshot, moment)
  const held = snapshot?.state ?? UNSEEN
  const state = settled?.ok === true && settled.value !== null ? { ...held, stub: stubOf(settled.value) } : held
  const historyReason = settled?.ok === false ? settled.reason : undefined
  return cardText(service, mint, state, moment, { accounts, historyReason })
}

/** The stub of an evicted mint, from the history. */
const stubOf = ({ settlement, flags, launch }: SettledLaunch): StubRow => ({
  reason: 'its rows are no longer held',
  launchAt: settlement.t0,
  lastNumber: settlement.slot0,
  forgottenAt: settlement.settledAt,
  flags: flags.join(','),
  outcome: JSON.stringify(recordFrom(settlement)),
  name: launch?.name ?? null,
  symbol: launch?.symbol ?? null,
  creator: settlement.creator,
  launcher: launch?.user ?? null,
})

/** Only links that return an answer: a check needs full coverage, and evidence a finding. */
const nextOf = (mint: Key, { coverage, finding }: CardText): string =>
  JSON.stringify({
    launches: '/v1/launches/recent',
    ...(coverage === 'full' && { check: `/v1/check/mint/${keyText(mint)}` }),
    ...(finding !== undefined && { evidence: `/v1/evidence/${finding}` }),
  })
