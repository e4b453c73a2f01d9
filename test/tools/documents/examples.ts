// Generates the example answers of the documents over an invented market; the same on every machine.

import { questions } from '../../../query-api/app/list/questions.ts'
import { keyText } from '../../../schemas/keys.ts'
import { SetHistory } from '../../fakes/set-history.ts'
import { oddsValue } from '../../fakes/set-odds-history.ts'
import { CURVE_CONTRACT } from '../../fixtures/curve-market.ts'
import { fillMarket } from '../../fixtures/page-market.ts'
import { harness } from '../../integration/api-harness.ts'
import { answerNames } from '../../shipped.ts'
import { base58, findingOf, flagRow, key, launchRow, liveState, NOW_S } from '../../unit/query-api/given-mint.ts'

const ITEMS_MAX = 2
/** Maximum number of entries kept of an object keyed by name: parts of cards in the labels, and fields of each part. */
const NAMES_MAX = 3
const MINT = 77
/** Mint with a finding old enough to be free. */
const PROVEN = 78

/** JSON text of an answer for each path. @throws if a route does not answer 200 */
export const makeExamples = async (): Promise<string> => {
  const api = harness({ history: new SetHistory() })
  fillMarket(api.view)
  api.view.put(key(MINT), liveState())
  api.odds.set(key(MINT), 'rug_within_300s', 0.124, { at: NOW_S - 70 })
  api.odds.set(key(MINT), 'true_graduation', 0.031, { at: NOW_S - 40, ageS: 60 })
  const found = findingOf('creator_sold', base58(PROVEN))
  api.view.put(
    key(PROVEN),
    liveState({ launch: launchRow({ at: NOW_S - 500 }), flags: [flagRow('creator_sold', { findingId: found, firstSeenAt: NOW_S - 400 })] }),
  )
  const answers: Record<string, unknown> = {}
  for (const { path, example, priceMicroUsdc } of questions) {
    if (answerNames[path] === undefined) continue
    const url = example
      .replace('{mint},{mint}', '{mint}')
      .replace('{finding_id}', encodeURIComponent(found))
      .replace('{curve}', keyText(CURVE_CONTRACT))
      .replace('{odds_id}', encodeURIComponent(oddsValue().id))
      .replaceAll(/\{\w+\}/g, base58(MINT))
    const { status, body, text } = await (priceMicroUsdc > 0 ? api.paid(url) : api.get(url))
    if (status !== 200) throw new Error(`${url} answers ${status}: ${text}`)
    answers[path] = shortened(body)
  }
  return `${JSON.stringify(answers, null, 2)}\n`
}

type Body = Readonly<Record<string, unknown>>

/** Keeps the first few items, questions and resources, with `count` to match, and some fields of the labels. */
const shortened = (body: Body): Body =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      if (Array.isArray(value)) return [name, LISTS.has(name) ? value.slice(0, ITEMS_MAX).map(withoutExample) : value]
      if (name === 'data') return [name, shortened(counted(value as Body))]
      return [name, name === 'fields' ? someOf(value as Body, (part) => someOf(part as Body, (meaning) => meaning)) : value]
    }),
  )
const LISTS: ReadonlySet<string> = new Set(['items', 'questions', 'resources', 'free'])

/** The catalog's example omits the examples it contains. */
const withoutExample = (item: Body): Body => ('output_example' in item ? { ...item, output_example: { ok: true } } : item)

const counted = (data: Body): Body =>
  Array.isArray(data.items) && data.count !== undefined ? { ...data, count: Math.min(data.items.length, ITEMS_MAX) } : data

const someOf = (named: Body, of: (part: unknown) => unknown): Body =>
  Object.fromEntries(
    Object.entries(named)
      .slice(0, NAMES_MAX)
      .map(([name, part]) => [name, of(part)]),
  )
