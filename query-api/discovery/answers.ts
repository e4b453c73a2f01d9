// Documents about the service as answers: made once where nothing in them changes, and kept by whoever asks.

import type { Ask } from '../answers/question.ts'
import type { Service } from '../answers/service.ts'
import type { Answer } from '../questions/bodies.ts'
import { agentCard, aiCatalog, CATALOG_TYPE, olderAgentCard, olderServerCard, SERVER_CARD_TYPE, serverCard } from './agent-cards.ts'
import { manifestDocument, resourcesDocument } from './catalog.ts'
import { openApiDocument } from './open-api.ts'
import { type Shown, shownOf } from './shown.ts'
import { llmsFullText, llmsText, robotsText, termsText } from './texts.ts'

/** Documents change with a new version and with the terms of payment. */
const FRESH_S = 300
const PUBLIC = { 'Cache-Control': `public, max-age=${FRESH_S}` }
const PLAIN = { ...PUBLIC, 'Content-Type': 'text/plain; charset=utf-8' }

/** Cached per service until the shown examples change. */
const once = (make: (service: Service) => string, headers: Readonly<Record<string, string>>) => {
  const made = new WeakMap<Service, { readonly shown: Shown; readonly answer: Answer }>()
  return (_input: object, { service }: Ask): Answer => {
    const shown = shownOf(service)
    const kept = made.get(service)
    if (kept?.shown === shown) return kept.answer
    const answer = { status: 200, body: make(service), headers }
    made.set(service, { shown, answer })
    return answer
  }
}

export const answerOpenApi = once((service) => JSON.stringify(openApiDocument(service)), PUBLIC)
export const answerLlms = once(llmsText, PLAIN)
export const answerLlmsFull = once(llmsFullText, PLAIN)
export const answerRobots = once(robotsText, PLAIN)
export const answerTerms = once(termsText, PLAIN)

const typed = (type: string) => ({ ...PUBLIC, 'Content-Type': type })
const card = (make: (service: Service) => object, headers = PUBLIC) => once((service) => JSON.stringify(make(service)), headers)

export const answerAgentCard = card(agentCard)
export const answerOlderAgentCard = card(olderAgentCard)
export const answerServerCard = card(serverCard, typed(SERVER_CARD_TYPE))
export const answerOlderServerCard = card(olderServerCard)
export const answerAiCatalog = card(aiCatalog, typed(CATALOG_TYPE))

/** Terms may change while the service runs: made each time, and the same text as long as they do not. */
const each =
  (make: (service: Service) => Promise<object>) =>
  async (_input: object, { service }: Ask): Promise<Answer> => ({ status: 200, body: JSON.stringify(await make(service)), headers: PUBLIC })

export const answerManifest = each(manifestDocument)
export const answerResources = each(resourcesDocument)
