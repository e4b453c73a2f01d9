// The document that explains a logged probability: its features, and whether recomputing it from the same inputs gives the same value.
import { inputsHashOf } from '../../../processors/odds/features.ts'
import type { OddsHead } from '../../../processors/odds/heads.ts'
import { explainScore, type Model, type ScoreExplained } from '../../../processors/odds/model.ts'
import type { Judged } from '../../../processors/odds/odds-of.ts'
import { judgementBytesOf } from '../../../schemas/codecs.ts'
import { keyText } from '../../../schemas/keys.ts'
import { formatPosition } from '../../../schemas/position.ts'
import { printFields } from '../../../schemas/print.ts'
import type { Conclusion, Odds } from '../../../schemas/types.ts'
import type { Difference, Verdict } from '../../ports/recompute.ts'

export type OddsValue = Conclusion & { readonly body: Odds }

/** All that is known of a value. */
export interface KnownOdds {
  readonly value: OddsValue
  /** `computed`: no accessible log has it. */
  readonly status: 'logged' | 'retracted' | 'computed'
  /** The judgement to recompute it from; or the reason why there is none, and whether that means that the value is wrong. */
  readonly judged: Judged | { readonly reason: string; readonly isWrong: boolean }
  /** All versions that the log has under the judgement's id. */
  readonly versions: readonly Judged[]
  /** The model, or the reason why there is none. */
  readonly model: Model | string
}

/** Parts of a document in JSON. ppm: probability in millionths; points, base and score: millionths of a logit. */
interface OddsParts {
  readonly odds_id: string
  readonly position: string
  /** Tick time of the judgement, unix seconds. */
  readonly at: number
  readonly age_s: number
  readonly mint: string
  readonly head: OddsHead
  readonly ppm: number
  readonly model_id: string
  readonly shadow: boolean
  readonly status: KnownOdds['status']
  readonly judgement_id: string
  readonly inputs_hash: string
  /** Null if it cannot be computed, or the model does not judge these inputs. */
  readonly score: (Omit<ScoreExplained, 'parts'> & { readonly features: ScoreExplained['parts'] }) | null
  /** The judgement that it is recomputed from, with the fields of the judgement's topic; null if there is none. */
  readonly inputs: Readonly<Record<string, unknown>> | null
}
export type OddsDocument = OddsParts & Verdict

const hashOf = ({ body }: Judged): string => inputsHashOf(judgementBytesOf(body))

export const explainOdds = (known: KnownOdds): OddsDocument => {
  const { value, status, judged, model } = known
  const { id, at, body } = value
  const score = 'reason' in judged || typeof model === 'string' ? null : explainScore(model, body.head, judged.body)
  return {
    ...{ odds_id: id, position: formatPosition(value), at, age_s: body.ageS, mint: keyText(body.mint), head: body.head, ppm: body.ppm },
    ...{ model_id: body.model, shadow: body.shadow, status, judgement_id: body.judgement, inputs_hash: body.inputsHash },
    ...verdictOf(known, score),
    score: score && { base: score.base, features: score.parts, score: score.score, ppm: score.ppm },
    inputs: 'reason' in judged ? null : printFields(judged.body),
  }
}

const verdictOf = ({ value, status, judged, model, versions }: KnownOdds, score: ScoreExplained | null): Verdict => {
  if ('reason' in judged)
    return judged.isWrong
      ? { recomputed: 'differs', differences: [{ field: 'judgement', stored: value.body.judgement, recomputed: null }] }
      : { recomputed: null, recomputed_reason: judged.reason }
  if (typeof model === 'string') return { recomputed: null, recomputed_reason: model }
  if (status === 'computed') return { recomputed: null, recomputed_reason: 'no accessible log has the logged value' }
  const differences = [...inputsDiffering(value, judged, versions), ...differing('ppm', value.body.ppm, score?.ppm ?? null)]
  return differences.length === 0 ? { recomputed: 'same' } : { recomputed: 'differs', differences }
}

const differing = (field: string, stored: unknown, recomputed: unknown): Difference[] =>
  stored === recomputed ? [] : [{ field, stored, recomputed }]

/** Field by field if the log still has the judgement that was scored. */
const inputsDiffering = ({ body }: OddsValue, judged: Judged, versions: readonly Judged[]): Difference[] => {
  const hash = differing('inputs_hash', body.inputsHash, hashOf(judged))
  if (hash.length === 0) return []
  const scored = versions.find((one) => hashOf(one) === body.inputsHash)
  const [was, is] = [scored && printFields(scored.body), printFields(judged.body)]
  return was === undefined ? hash : [...Object.keys(is).flatMap((field) => differing(`inputs.${field}`, was[field], is[field])), ...hash]
}
