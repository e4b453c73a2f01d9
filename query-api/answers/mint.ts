// `/v1/mint/{mint}`: the card of any address; always 200.
import { confidenceOf } from '../../processors/mint/moment.ts'
import type { Key } from '../../schemas/keys.ts'
import type { MintState } from '../../schemas/types.ts'
import type { Answer } from '../bodies.ts'
import { address } from '../params.ts'
import type { Ask } from '../question.ts'
import { cardText } from './card-text.ts'

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
  timers: [],
}

export const answerMint = ({ mint }: { readonly mint: Key }, ask: Ask): Answer => answerCard(mint, ask)

/** The card as it is sold; `delayedS` where it is given away late. */
export const answerCard = (mint: Key, { service, look, facts }: Ask, delayedS?: number): Answer => {
  const snapshot = service.options.view.get(mint)
  const card = snapshot === undefined ? cardText(service, mint, UNSEEN, look.moment) : service.cards.get(snapshot, look.moment)
  const confidence = confidenceOf(card.coverage, card.trades, look.feed.feedLagS)
  const data = `${card.text},"confidence":"${confidence}",${service.baseRatesText()}}`
  return {
    status: 200,
    body: service.envelope(facts, look, { coverage: card.coverage, data, next: NEXT, ...(delayedS !== undefined && { delayedS }) }),
  }
}

const NEXT = '{"launches":"/v1/launches/recent"}'
