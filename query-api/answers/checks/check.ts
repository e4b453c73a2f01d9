// `/v1/check/mint/{mint}` and `/v1/check/watchlist`: confirmed findings of 1 to 5 mints, charged only if there is something new.
import { hash } from 'node:crypto'
import { checkItem } from '../../../processors/mint/card/check-item.ts'
import { confirmedOnly } from '../../../processors/mint/watch-events.ts'
import { type Key, keyText } from '../../../schemas/keys.ts'
import { type Answer, refusedForNow } from '../../questions/bodies.ts'
import { address } from '../../questions/params.ts'
import { enveloped, type RequestContext } from '../question.ts'
import {
  type CheckInput,
  type CheckInputs,
  checkInputsOf,
  cursorFor,
  cursorParam,
  hasNews,
  mintsParam,
  NEXT_CHECK_AFTER_S,
  newsOf,
  type Subject,
} from './check-inputs.ts'

const CURSOR_DOC =
  'Watch cursor of an earlier answer about exactly these mints. With it, nothing is charged if nothing new was confirmed since, and the answer marks what is new (new_events, is_new).'
export const checkMintParams = { mint: address('Token address: base58, 32 bytes.'), cursor: cursorParam(CURSOR_DOC) }
export const watchlistParams = { mints: mintsParam, cursor: cursorParam(CURSOR_DOC) }

interface MintInput {
  readonly mint: Key
  readonly cursor: string | null
}

export const checkMintPrecheck = ({ mint, cursor }: MintInput, ask: RequestContext): Answer | null =>
  watchlistPrecheck({ mints: [mint], cursor }, ask)
export const answerCheckMint = ({ mint, cursor }: MintInput, ask: RequestContext): Answer => answerWatchlist({ mints: [mint], cursor }, ask)

/** A refusal or `no_new_events`; null if the check can be sold. */
export const watchlistPrecheck = (input: CheckInput, ask: RequestContext): Answer | null => {
  const inputs = checkInputsOf(input, ask)
  if (!inputs.ok) return inputs.refusal
  const { subjects, seen } = inputs
  return seen === undefined || hasNews(subjects, seen) ? null : noChange(subjects, seen, ask)
}

export const answerWatchlist = (input: CheckInput, ask: RequestContext): Answer => {
  const inputs = checkInputsOf(input, ask)
  if (!inputs.ok) return inputs.refusal
  return hasNews(inputs.subjects, inputs.seen) ? result(inputs, ask) : TAKEN_BACK
}

/** A reorg retracted the news after the precheck. Only the precheck can answer for free, so the caller has to repeat the request. */
const TAKEN_BACK = refusedForNow(503, 'news_taken_back', 'a reorg has just retracted the new events; send the same request again', 1)

const result = ({ subjects, seen }: Extract<CheckInputs, { ok: true }>, ask: RequestContext): Answer => {
  const { service, instant } = ask
  const items = subjects.map((subject, at) => itemOf(subject, newsOf(subject, at, seen), ask))
  const found = {
    status: items.some(({ status }) => status === 'flags_observed') ? 'flags_observed' : 'no_flags_observed',
    count: items.length,
    items,
    cursor: cursorFor(
      ask,
      subjects,
      subjects.map(({ bits }) => bits),
    ),
    watch_events: service.events.names,
  }
  const { status, ...rest } = found
  const data = JSON.stringify({ status, result_id: resultId(found, instant.shownMs), ...rest })
  const finding = items.flatMap(({ findings }) => findings).at(-1)?.finding_id
  return enveloped(ask, { coverage: 'full', data, next: nextOf(subjects, finding) })
}

const noChange = (subjects: readonly Subject[], seen: readonly number[], ask: RequestContext): Answer => {
  const data = JSON.stringify({
    status: 'no_new_events',
    changed: false,
    count: 0,
    items: [],
    cursor: cursorFor(ask, subjects, seen),
    charged: false,
    next_check_after_s: NEXT_CHECK_AFTER_S,
  })
  return enveloped(ask, { coverage: 'full', data, next: nextOf(subjects), isUnpaid: true })
}

const itemOf = ({ snapshot, ...subject }: Subject, news: number, { service, instant }: RequestContext) => {
  const confirmed = confirmedOnly(snapshot.state, service.isConfirmed)
  const item = checkItem({ ...subject, state: confirmed, news }, instant.moment, service)
  return { ...item, full_card_url: `${service.options.baseUrl}/v1/mint/${item.mint}` }
}

/** Deterministic: equal results of the same millisecond have the same id in every process. */
const resultId = (found: object, nowMs: number): string => hash('sha256', `${nowMs} ${JSON.stringify(found)}`, 'base64url').slice(0, 22)

const nextOf = (subjects: readonly Subject[], finding?: string): string =>
  JSON.stringify({
    watch: `/v1/check/watch?mints=${subjects.map(({ mint }) => keyText(mint)).join(',')}`,
    mint: subjects.length === 1 && subjects[0] !== undefined ? `/v1/mint/${keyText(subjects[0].mint)}` : '/v1/mint/{mint}',
    ...(finding !== undefined && { evidence: `/v1/evidence/${finding}` }),
  })
