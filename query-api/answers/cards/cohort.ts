// `/v1/cohort/mint/{mint}`: outcomes of launches that were alike at the end of the create slot, from the history.

import { wilsonInterval } from '../../../processors/grading/wilson.ts'
import { solOf } from '../../../processors/mint/card/amounts.ts'
import { explain } from '../../../processors/mint/card/explain.ts'
import {
  type Chosen,
  COHORT_LAUNCHES_MIN,
  COHORT_WINDOW_DAYS,
  chooseCohort,
  cohortKeyOf,
  SHAPE_PARTS,
} from '../../../processors/mint/cohort/cohort.ts'
import { type Shape, type ShapeFacts, shapeFactsOf, shapeOf } from '../../../processors/mint/cohort/shape.ts'
import { type Key, keyText } from '../../../schemas/keys.ts'
import type { CachedResult, Cohorts, LookupKind, QueryResult } from '../../../topology/ports/history.ts'
import type { CohortData } from '../../answer-schemas/cohort.ts'
import { type Answer, historyUnavailable, refusedUnpaid } from '../../questions/bodies.ts'
import { address } from '../../questions/params.ts'
import { enveloped, newest, type RequestContext } from '../question.ts'
import type { Service } from '../service.ts'
import { NO_HISTORY } from './base-rates.ts'

export const cohortParams = { mint: address('Token address: base58, 32 bytes.') }

interface MintInput {
  readonly mint: Key
}

const S_PER_DAY = 86_400

const away = (reason: string): Answer => historyUnavailable(`cohorts need the history: ${reason}`)
const noCohort = (mint: Key, reason: string): Answer =>
  refusedUnpaid(
    404,
    'no_cohort',
    `${keyText(mint)} has no known shape to compare launches by: ${reason}. GET /v1/mint/${keyText(mint)} returns its card`,
  )

const UNSEEN = 'its launch was not witnessed by this service, or was witnessed before the service stored the shapes of launches'
const NOT_SOL = 'its curve is not paired with SOL, and the bands are in SOL'
const FEW = `fewer than ${COHORT_LAUNCHES_MIN} settled launches of the window match it, even by is_mayhem alone`

/** The launch's shape and all cohorts, or a refusal. */
type CohortInputs =
  | { readonly ok: true; readonly facts: ShapeFacts; readonly known: Extract<CachedResult<Cohorts>, { ok: true }> }
  | Refused
interface Refused {
  readonly ok: false
  readonly refusal: Answer
  /** The history did not find time for this launch. */
  readonly isBusy?: true
}

/** From the rows in the view, else from the history, which keeps the shape of evicted mints. */
const factsOf = async (mint: Key, { view, history }: Service['options'], kind: LookupKind): Promise<QueryResult<ShapeFacts | null>> => {
  const head = view.get(mint)?.head
  const facts = head === undefined ? undefined : shapeFactsOf(head)
  if (facts !== undefined) return { ok: true, value: facts }
  return (await history?.shape(mint, kind)) ?? { ok: false, reason: NO_HISTORY }
}

const inputsOf = async (mint: Key, { options }: Service, kind: LookupKind): Promise<CohortInputs> => {
  const known: CachedResult<Cohorts> = options.history?.cohorts() ?? { ok: false, reason: NO_HISTORY }
  if (!known.ok) return { ok: false, refusal: away(known.reason) }
  const found = await factsOf(mint, options, kind)
  if (!found.ok) return { ok: false, refusal: away(found.reason), ...(found.isBusy && { isBusy: true }) }
  const facts = found.value
  if (facts === null) return { ok: false, refusal: noCohort(mint, UNSEEN) }
  return facts.quoteMint === null ? { ok: true, facts, known } : { ok: false, refusal: noCohort(mint, NOT_SOL) }
}

/**
 * Refuses while the history is not available, and for mints without a known shape. While it is only too busy to look the shape up, the
 * cohort stays for sale: a paid lookup waits for no free one, and if it fails too, nothing is charged.
 */
export const cohortPrecheck = async ({ mint }: MintInput, { service }: RequestContext): Promise<Answer | null> => {
  const { history } = service.options
  const reason = history === undefined ? NO_HISTORY : history.unavailable()?.reason
  if (reason !== undefined) return away(reason)
  const inputs = await inputsOf(mint, service, 'quote')
  return inputs.ok || inputs.isBusy ? null : inputs.refusal
}

export const answerCohort = async ({ mint }: MintInput, ask: RequestContext): Promise<Answer> => {
  const inputs = await inputsOf(mint, ask.service, 'paid')
  if (!inputs.ok) return inputs.refusal
  const { facts, known } = inputs
  const shape = shapeOf(facts)
  const lack = lackOf(facts)
  const { from } = known.value
  const data: CohortData = {
    mint: keyText(mint),
    t0: facts.t0,
    shape: shapePart(facts, shape),
    ...cohortPart(shape, lack, known.value.cohorts),
    window_days: COHORT_WINDOW_DAYS,
    window: { from, to: known.asOf, days: Math.max(0, known.asOf - from) / S_PER_DAY },
    as_of: known.asOf,
    ...(lack === null ? {} : { coverage_reason: lack }),
  }
  const instant = newest(ask)
  const next = JSON.stringify({ mint: `/v1/mint/${data.mint}`, regime: '/v1/market/regime' })
  return enveloped({ ...ask, instant }, { coverage: lack === null ? 'full' : 'thin', data: JSON.stringify(data), next })
}

/** Why parts of the shape are not known; null if all are known. */
const lackOf = ({ createSlot, prior }: ShapeFacts): string | null => {
  if (!createSlot.ok) return `buys of the create slot: ${createSlot.reason}`
  return prior.ok ? null : `record of the dev set as of the launch: ${prior.reason}`
}

/** The coverage by the rows in the view; null if they have no shape: the history, which may have one, is not queried. */
export const cohortCoverage = ({ mint }: MintInput, { service }: RequestContext): 'full' | 'thin' | null => {
  const head = service.options.view.get(mint)?.head
  const facts = head === undefined ? undefined : shapeFactsOf(head)
  if (facts === undefined) return null
  return lackOf(facts) === null ? 'full' : 'thin'
}

const shapePart = ({ createSlot, prior }: ShapeFacts, shape: Shape): CohortData['shape'] => {
  const ofSlot = createSlot.ok ? '' : createSlot.reason
  const ofPrior = createSlot.ok ? (prior.ok ? '' : prior.reason) : createSlot.reason
  return explain(
    {
      is_mayhem: shape.isMayhem,
      dev_buy: shape.devBuy,
      bundle: shape.bundle,
      creator_kind: shape.creatorKind,
      dev_buy_sol: createSlot.ok ? solOf(createSlot.value.devBuyQuoteUnits) : null,
      n_bundle_wallets: createSlot.ok ? createSlot.value.bundleWallets : null,
      creator_prior: prior.ok
        ? {
            of: keyText(prior.value.of),
            n_launches: prior.value.launches,
            n_resolved: prior.value.resolved,
            n_graduated: prior.value.graduated,
            n_rugged: prior.value.rugged,
          }
        : null,
    },
    {
      ...{ dev_buy: ofSlot, bundle: ofSlot, creator_kind: ofPrior },
      ...{ dev_buy_sol: ofSlot, n_bundle_wallets: ofSlot, creator_prior: prior.ok ? '' : prior.reason },
    },
  )
}

type CohortPart = Pick<
  CohortData,
  'alike_in' | 'coarser_reason' | 'n_same_shape' | 'n_same_shape_reason' | 'n' | 'rugged' | 'graduated' | 'collapse_s'
>

const cohortPart = (shape: Shape, lack: string | null, cohorts: Cohorts['cohorts']): CohortPart => {
  const key = cohortKeyOf(shape, SHAPE_PARTS.length)
  const same = key === undefined ? null : (cohorts.get(key)?.n ?? 0)
  const chosen = chooseCohort(shape, cohorts)
  const few = `fewer than ${COHORT_LAUNCHES_MIN} launches of the window match in more parts: too few for rates`
  const parts = chosen?.parts ?? 0
  return {
    alike_in: SHAPE_PARTS.slice(0, parts),
    ...(parts < SHAPE_PARTS.length && {
      coarser_reason: chosen === undefined ? FEW : isAllThatIsKnown(shape, parts) ? (lack ?? few) : few,
    }),
    ...explain({ n_same_shape: same }, { n_same_shape: `not known for this launch: ${lack}` }),
    ...figuresPart(chosen),
  }
}

/** True if the next part of the shape is not known. */
const isAllThatIsKnown = (shape: Shape, parts: number): boolean => cohortKeyOf(shape, parts + 1) === undefined

const figuresPart = (chosen: Chosen | undefined) => {
  const counts = chosen?.counts
  const none = 'no launch of the cohort rugged'
  return explain(
    {
      n: counts?.n ?? null,
      rugged: counts === undefined ? null : shareOf(counts.rugged, counts.n),
      graduated: counts === undefined ? null : shareOf(counts.graduated, counts.n),
      collapse_s:
        counts === undefined
          ? null
          : explain({ n: counts.rugged, p50: counts.collapseP50S, p90: counts.collapseP90S }, { p50: none, p90: none }),
    },
    { n: FEW, rugged: FEW, graduated: FEW, collapse_s: FEW },
  )
}

const shareOf = (hits: number, n: number) => {
  const interval = wilsonInterval(hits, n)
  return interval && { n: hits, rate: hits / n, ...interval }
}
