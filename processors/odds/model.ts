// An odds model: cards of integer points, read from a file.
import { hash } from 'node:crypto'
import type { z } from 'zod'
import { EngineError } from '../../schemas/errors.ts'
import type { Judgement } from '../../schemas/types.ts'
import { binOf, compiled, ppmAt, scoreOf } from './card.ts'
import { FEATURE_NAMES, featuresOf, headsOf } from './features.ts'
import { FEATURES_HASH } from './features-hash.ts'
import { ODDS_HEADS, type OddsHead } from './heads.ts'
import { bodyHashOf, type Card, type CardPart, MODEL_BYTES_MAX, type ModelBody, modelSchema } from './model-file.ts'

const ID_DIGITS = 16
/** Keeps sums of scores exact in doubles, and a product with a million below 2^53: millionths of a logit. */
const SCORE_MAX = 1_000_000_000

export interface Model {
  /** Start of the SHA-256 of its file, 16 hex digits. */
  readonly id: string
  readonly body: ModelBody
  /** Millionths, 0 to 1,000,000; null where the head does not score this judgement, or has no card for its age. */
  score(head: OddsHead, judgement: Judgement): number | null
}

/** One feature's contribution to a score. */
interface ScorePart {
  readonly feature: string
  /** Null where it is unknown. */
  readonly value: number | null
  /** The value's bin: from `from` on, below `below`; null where the bin is open. */
  readonly from: number | null
  readonly below: number | null
  /** Millionths of a logit. */
  readonly points: number
}
export interface ScoreExplained {
  readonly base: number
  /** In the order of the features. */
  readonly parts: readonly ScorePart[]
  /** Base and points. */
  readonly score: number
  readonly ppm: number
}

/**
 * Reads a model of this program's features. @throws EngineError `model_unfit` where the file is not a model, is damaged, or was trained for
 * other features: run mintfold train again
 */
export const readModel = (bytes: Uint8Array): Model => {
  const body = parsed(bytes)
  check(body)
  const cards = new Map(ODDS_HEADS.map((head) => [head, new Map(body.heads[head].cards.map((card) => [card.ageS, compiled(card)]))]))
  return {
    id: hash('sha256', bytes).slice(0, ID_DIGITS),
    body,
    score: (head, judgement) => {
      if (!headsOf(judgement).includes(head)) return null
      const card = cards.get(head)?.get(judgement.ageS)
      return card === undefined ? null : ppmAt(card, scoreOf(card, featuresOf(judgement)))
    },
  }
}

/** The contribution of each feature to the score of a head; null where there is no score. */
export const explainScore = ({ body }: Model, head: OddsHead, judgement: Judgement): ScoreExplained | null => {
  const card = body.heads[head].cards.find(({ ageS }) => ageS === judgement.ageS)
  if (card === undefined || !headsOf(judgement).includes(head)) return null
  const values = featuresOf(judgement)
  const parts = card.parts.map((part): ScorePart => {
    const value = values[FEATURE_NAMES.indexOf(part.feature)] as number
    const bin = binOf(part.edges, value)
    return {
      feature: part.feature,
      value: Number.isNaN(value) ? null : value,
      from: part.edges[bin - 2] ?? null,
      below: bin === 0 ? null : (part.edges[bin - 1] ?? null),
      points: part.points[bin] as number,
    }
  })
  const score = parts.reduce((sum, { points }) => sum + points, card.base)
  return { base: card.base, parts, score, ppm: ppmAt(compiled(card), score) }
}

const unfit = (words: string, cause?: unknown): EngineError =>
  new EngineError('model_unfit', `this model cannot be used: ${words}`, cause === undefined ? {} : { cause })

const parsed = (bytes: Uint8Array): ModelBody => {
  if (bytes.length > MODEL_BYTES_MAX) throw unfit(`the file has ${bytes.length} bytes, a model has at most ${MODEL_BYTES_MAX}`)
  let json: unknown
  try {
    json = JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch (cause) {
    throw unfit('the file is not JSON; mintfold train writes one', cause)
  }
  const read = modelSchema.safeParse(json)
  if (!read.success) {
    const [issue] = read.error.issues
    throw unfit(`${issue?.path.join('.') || 'the file'}: ${issue?.message}; mintfold train writes one of this version`, read.error)
  }
  const { sha256, ...body } = json as z.infer<typeof modelSchema>
  const is = bodyHashOf(body)
  if (sha256 !== is) throw unfit(`its hash is ${is}, not ${sha256} as stated in the file: the file was changed`)
  return body
}

const check = ({ features, heads }: ModelBody): void => {
  const other = features.names.findIndex((name, at) => name !== FEATURE_NAMES[at])
  if (other >= 0 || features.names.length !== FEATURE_NAMES.length)
    throw unfit(`its features are not those of this program (${features.names[other] ?? 'their number differs'}); run mintfold train again`)
  if (features.hash !== FEATURES_HASH)
    throw unfit(`the code of its features (${features.hash}) is not that of this program (${FEATURES_HASH}); run mintfold train again`)
  for (const head of ODDS_HEADS) for (const card of heads[head].cards) checkCard(`${head} at ${card.ageS} s`, card)
}

const checkCard = (name: string, { base, parts, knots }: Card): void => {
  for (const part of parts) checkPart(`${name}, ${part.feature}`, part)
  const reach = parts.reduce((sum, { points }) => sum + Math.max(...points.map(Math.abs)), Math.abs(base))
  if (reach > SCORE_MAX) throw unfit(`${name}: scores reach ${reach}, beyond ${SCORE_MAX}`)
  if (knots.some(([score]) => Math.abs(score) > SCORE_MAX)) throw unfit(`${name}: a knot lies beyond ${SCORE_MAX}`)
  const fall = knots.findIndex(([score, ppm], at) => at > 0 && (score <= (knots[at - 1]?.[0] ?? 0) || ppm < (knots[at - 1]?.[1] ?? 0)))
  if (fall > 0) throw unfit(`${name}: knot ${fall} does not rise`)
}
const checkPart = (name: string, { feature, edges, points }: CardPart): void => {
  if (!FEATURE_NAMES.includes(feature)) throw unfit(`${name}: there is no such feature`)
  if (points.length !== edges.length + 2)
    throw unfit(`${name}: ${edges.length} edges need ${edges.length + 2} points, not ${points.length}`)
  if (edges.some((edge, at) => at > 0 && edge <= (edges[at - 1] as number))) throw unfit(`${name}: edges do not ascend`)
}
