// Documents about the service as answers, cached here and by clients.
import type { TimelessContext } from '../answers/question.ts'
import type { Service } from '../answers/service.ts'
import type { Answer } from '../questions/bodies.ts'
import type { QuestionFacts } from '../questions/question-facts.ts'
import { type Shown, shownOf } from './shown.ts'

/** Client cache time, seconds: documents change only with a new version and with the payment terms. */
export const FRESH_S = 300

const sent = ({ mediaType }: QuestionFacts, document: object | string): Answer => ({
  status: 200,
  body: typeof document === 'string' ? document : JSON.stringify(document),
  headers: {
    'Cache-Control': `public, max-age=${FRESH_S}`,
    ...(mediaType !== undefined && { 'Content-Type': mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType }),
  },
})

/** Cached per service until the shown examples change. */
export const once = (make: (service: Service) => object | string) => {
  const made = new WeakMap<Service, { readonly shown: Shown; readonly answer: Answer }>()
  return (_input: object, { service, facts }: TimelessContext): Answer => {
    const shown = shownOf(service)
    const kept = made.get(service)
    if (kept?.shown === shown) return kept.answer
    const answer = sent(facts, make(service))
    made.set(service, { shown, answer })
    return answer
  }
}

/** Made for each request, because payment terms can change while the service runs. */
export const each =
  (make: (service: Service) => Promise<object>) =>
  async (_input: object, { service, facts }: TimelessContext): Promise<Answer> =>
    sent(facts, await make(service))
