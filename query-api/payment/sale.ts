// Creates a sale from a question and its validated request, for HTTP and MCP.

import type { ValidatedRequest } from '../answers/question.ts'
import type { Service } from '../answers/service.ts'
import { feedUnavailableUnpaid, RESTORING_UNPAID } from '../questions/bodies.ts'
import type { QuestionFacts } from '../questions/question-facts.ts'
import { finishBody } from './finish.ts'
import type { Offer, Sale } from './gate.ts'
import { extensionsOf } from './offer-extensions.ts'

export const offerOf = ({ path, priceMicroUsdc, description, secondNetwork, params }: QuestionFacts): Offer => {
  const secretParams = Object.keys(params).filter((name) => params[name]?.isSecret === true)
  return { path, priceMicroUsdc, description, ...(secretParams.length > 0 && { secretParams }), ...(secondNetwork && { secondNetwork }) }
}

/** Facts about sending a sold answer. */
interface Sent {
  readonly isReplayed: boolean
  /** Wall ms. */
  readonly madeAtMs: number
}

export interface QuestionSale extends Pick<Sale, 'offer' | 'extensions' | 'precheck' | 'produce' | 'settled'> {
  /** The stored body with updated ages, for sending. */
  readonly finish: (body: string, sent: Sent) => string
}

/** Each function uses the state at its call, not at the creation of the sale. @param bazaar the transport's extension. */
export const saleOf = (
  offer: Offer,
  bazaar: () => object,
  prepared: Extract<ValidatedRequest, { ok: true }>,
  service: Service,
): QuestionSale => ({
  offer,
  extensions: () => extensionsOf(bazaar(), prepared.facts, service, prepared),
  precheck: () => {
    const { status, unsold } = service.look(prepared.facts.market)
    if (!status.ready) return RESTORING_UNPAID
    if (unsold === null) return prepared.precheck(service)
    return prepared.facts.isGivenUnsold ? prepared.answer(service) : feedUnavailableUnpaid(unsold)
  },
  produce: () => prepared.answer(service),
  settled: prepared.settled && ((body) => prepared.settled?.(service, body) ?? Promise.resolve()),
  finish: (body, { isReplayed, madeAtMs }) => finishBody(body, service.options.wallClock.now() - madeAtMs, isReplayed),
})
