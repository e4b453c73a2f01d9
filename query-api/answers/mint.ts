// `/v1/mint/{mint}`: the card of any address; always 200.
import { confidenceOf, coverageOf } from '../../processors/mint/moment.ts'
import type { AccountsRead } from '../../processors/solana/accounts/account.ts'
import type { Key } from '../../schemas/keys.ts'
import type { MintState } from '../../schemas/types.ts'
import type { Answer } from '../bodies.ts'
import { address } from '../params.ts'
import type { Answered, Ask } from '../question.ts'
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
  timers: [],
  prior: null,
}

/** What rows say is there at once; where they do not cover the mint, the chain's accounts are read. */
export const answerMint = ({ mint }: { readonly mint: Key }, ask: Ask): Answered => {
  const { view, accounts } = ask.service.options
  const { coverage } = coverageOf(view.get(mint)?.state ?? UNSEEN, ask.look.moment)
  if (coverage === 'full') return answerCard(mint, ask)
  if (accounts === undefined) return answerCard(mint, ask, { accounts: NO_CHAIN })
  return accounts.read(mint).then((read) => answerCard(mint, { ...ask, look: ask.service.look() }, { accounts: read }))
}

const NO_CHAIN: AccountsRead = { ok: false, reason: 'this server has no access to accounts of the chain' }

interface CardOptions {
  /** Where it is given away late: everything shown is at least so old, seconds. */
  readonly delayedS?: number
  /** What was read; absent: accounts were not asked for. */
  readonly accounts?: AccountsRead
}

/** The card as it is sold. */
export const answerCard = (mint: Key, { service, look, facts }: Ask, { delayedS, accounts }: CardOptions = {}): Answer => {
  const card = cardOf(mint, service, look, accounts)
  const confidence = confidenceOf(card.coverage, card.trades, look.feed.feedLagS)
  const data = `${withFinality(card, service.finalityOf)},"confidence":"${confidence}",${service.baseRatesText()}}`
  return {
    status: 200,
    body: service.envelope(facts, look, { coverage: card.coverage, data, next: NEXT, ...(delayedS !== undefined && { delayedS }) }),
  }
}

/** Only texts without accounts are kept: they follow from rows and moment alone. */
const cardOf = (mint: Key, service: Service, { moment }: Look, accounts: AccountsRead | undefined): CardText => {
  const snapshot = service.options.view.get(mint)
  if (snapshot !== undefined && accounts === undefined) return service.cards.get(snapshot, moment)
  return cardText(service, mint, snapshot?.state ?? UNSEEN, moment, accounts)
}

const NEXT = '{"launches":"/v1/launches/recent"}'
