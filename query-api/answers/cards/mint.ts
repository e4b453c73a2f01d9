// `/v1/mint/{mint}`: the card of any address; always 200.

import type { AccountsRead } from '../../../processors/accounts.ts'
import { recordFrom } from '../../../processors/mint/card/history.ts'
import { confidenceOf, coverageOf } from '../../../processors/mint/card/moment.ts'
import { type Key, keyText } from '../../../schemas/keys.ts'
import type { MintState, StubRow } from '../../../schemas/types.ts'
import type { Asked, SettledLaunch } from '../../../topology/ports/history.ts'
import type { Answer } from '../../questions/bodies.ts'
import { address } from '../../questions/params.ts'
import { delayed } from '../delay.ts'
import { type Answered, type Ask, enveloped } from '../question.ts'
import type { Look, Service } from '../service.ts'
import { type CardText, cardText } from './card-text.ts'
import { withFinality } from './finality-text.ts'

export const mintParams = { mint: address('Token address: base58, 32 bytes.') }

/** Rows of a mint of which nothing was seen. */
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

/** What rows say is there at once; where they do not cover the mint, the chain's accounts are read. */
export const answerMint = ({ mint }: { readonly mint: Key }, ask: Ask): Answered => {
  const head = ask.service.options.view.get(mint)?.head
  const { coverage } = coverageOf(head ?? UNSEEN, ask.look.moment)
  return coverage === 'full' ? answerCard(mint, ask) : answerThin(mint, ask, mayBeForgotten(head))
}

/** A launch that was forgotten left no row, or rows of its later trades alone; then the history has its record. */
const mayBeForgotten = (head: Pick<MintState, 'launch' | 'stub'> | undefined): boolean =>
  head === undefined || (head.launch === null && head.stub === null)

/** Chain and history are asked at once; of what does not answer the card gives the reason. */
const answerThin = async (mint: Key, ask: Ask, asksHistory: boolean): Promise<Answer> => {
  const { accounts, history } = ask.service.options
  const [read, settled] = await Promise.all([accounts?.read(mint) ?? NO_CHAIN, asksHistory ? history?.settled(mint) : undefined])
  const look = { ...ask.service.look(), unsold: ask.look.unsold }
  return answerCard(mint, { ...ask, look }, { accounts: read, ...(settled === undefined ? {} : { settled }) })
}

const NO_CHAIN: AccountsRead = { ok: false, reason: 'this server has no access to accounts of the chain' }

interface CardOptions {
  /** Where it is given away late: everything shown is at least so old, seconds. */
  readonly delayedS?: number
  /** What was read; absent: accounts were not asked for. */
  readonly accounts?: AccountsRead
  /** What history says of a mint of which there are no rows; absent: it was not asked. */
  readonly settled?: Asked<SettledLaunch | null>
}

/** The card as it is sold. */
export const answerCard = (mint: Key, ask: Ask, { delayedS, ...asked }: CardOptions = {}): Answer => {
  const { service, look } = ask
  const card = cardOf(mint, service, delayedS === undefined ? look : delayed(look), asked)
  const confidence = confidenceOf(card.coverage, card.trades, look.feed.feedLagS)
  const data = `${withFinality(card, service.finalityOf)},"confidence":"${confidence}",${service.baseRatesText()}}`
  return enveloped(ask, { coverage: card.coverage, data, next: nextOf(mint, card), ...(delayedS !== undefined && { delayedS }) })
}

/** Only texts without accounts are kept: they follow from rows and moment alone. */
const cardOf = (mint: Key, service: Service, { moment }: Look, { accounts, settled }: Omit<CardOptions, 'delayedS'>): CardText => {
  const snapshot = service.options.view.get(mint)
  if (snapshot !== undefined && accounts === undefined) return service.cards.get(snapshot, moment)
  const held = snapshot?.state ?? UNSEEN
  const state = settled?.ok === true && settled.value !== null ? { ...held, stub: stubOf(settled.value) } : held
  const historyReason = settled?.ok === false ? settled.reason : undefined
  return cardText(service, mint, state, moment, { accounts, historyReason })
}

/** The stub that the mint left when it was forgotten, from what the history keeps. */
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

/** Only what is answered: a check needs full coverage, and evidence a finding. */
const nextOf = (mint: Key, { coverage, finding }: CardText): string =>
  JSON.stringify({
    launches: '/v1/launches/recent',
    ...(coverage === 'full' && { check: `/v1/check/mint/${keyText(mint)}` }),
    ...(finding !== undefined && { evidence: `/v1/evidence/${finding}` }),
  })
