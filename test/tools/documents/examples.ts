// Answers over a made-up market, as documents show them: the same on every machine.
import { questions } from '../../../query-api/questions.ts'
import { answerNames } from '../../../query-api/shapes/answers.ts'
import { SetHistory } from '../../fakes/set-history.ts'
import { fillMarket } from '../../fixtures/page-market.ts'
import { harness } from '../../integration/api-harness.ts'
import { base58, key, liveState } from '../../unit/query-api/given-mint.ts'

/** Where an answer is long and says nothing by example. */
const WITHOUT: ReadonlySet<string> = new Set(['/', '/v1/labels', '/v1/evidence/{finding_id}'])
const ITEMS_MAX = 2
const MINT = 77

/** JSON text by path of the question. @throws when a question does not answer. */
export const makeExamples = async (): Promise<string> => {
  const api = harness({ history: new SetHistory() })
  fillMarket(api.view)
  api.view.put(key(MINT), liveState())
  const answers: Record<string, unknown> = {}
  for (const { path, example, priceMicroUsdc } of questions) {
    if (answerNames[path] === undefined || WITHOUT.has(path)) continue
    const url = example.replace('{mint},{mint}', '{mint}').replaceAll(/\{\w+\}/g, base58(MINT))
    const { status, body, text } = await (priceMicroUsdc > 0 ? api.paid(url) : api.get(url))
    if (status !== 200) throw new Error(`${url} answers ${status}: ${text}`)
    answers[path] = shortened(body)
  }
  return `${JSON.stringify(answers, null, 2)}\n`
}

/** Lists of items by their first few; `count` says as many. What belongs to a run alone is fixed. */
const shortened = (body: { data?: { items?: unknown[]; count?: number } }): unknown => {
  const { data } = body
  if (data?.items === undefined || data.items.length <= ITEMS_MAX) return body
  return { ...body, data: { ...data, items: data.items.slice(0, ITEMS_MAX), ...(data.count !== undefined && { count: ITEMS_MAX }) } }
}
