// Converts a judgement to odds, as in the topic `odds`.
import { judgementBytesOf } from '../../schemas/codecs.ts'
import { type Key, keyText } from '../../schemas/keys.ts'
import { formatPosition, tickOf } from '../../schemas/position.ts'
import type { Conclusion, Judgement } from '../../schemas/types.ts'
import { inputsHashOf } from './features.ts'
import { ODDS_HEADS, type OddsHead } from './heads.ts'
import type { Model } from './model.ts'

/** A conclusion whose body is a judgement. */
export type Judged = Conclusion & { readonly body: Judgement }
export const isJudged = (conclusion: Conclusion): conclusion is Judged => conclusion.body.type === 'judgement'

/** A model that scores, and whether its values are shadow values. */
export interface Scorer {
  readonly model: Pick<Model, 'id' | 'score'>
  readonly shadow: boolean
}

/** `position@hash8:odds:mint:head:model`, the mint as text; the position is the tick of the judgement. */
export const oddsIdOf = (
  { chain, number, hash8 }: Pick<Conclusion, 'chain' | 'number' | 'hash8'>,
  mint: Key,
  head: OddsHead,
  model: string,
): string => `${formatPosition(tickOf(chain, number))}@${hash8}:odds:${keyText(mint)}:${head}:${model}`

/** One value for each model and each head that it scores, by model, then head; at the position of the judgement. */
export const oddsOf = (judged: Judged, scorers: readonly Scorer[]): readonly Conclusion[] => {
  if (scorers.length === 0) return []
  const { id: judgement, hash8, at, body } = judged
  const { chain, number, tx, outer, inner } = judged
  const { mint, t0, ageS } = body
  let inputsHash: string | undefined
  const conclusions: Conclusion[] = []
  for (const { model, shadow } of scorers)
    for (const head of ODDS_HEADS) {
      const ppm = model.score(head, body)
      if (ppm === null) continue
      inputsHash ??= inputsHashOf(judgementBytesOf(body))
      const id = oddsIdOf(judged, mint, head, model.id)
      const odds = { type: 'odds' as const, mint, t0, ageS, head, ppm, model: model.id, judgement, inputsHash, shadow }
      conclusions.push({ id, chain, number, tx, outer, inner, hash8, at, body: odds })
    }
  return conclusions
}
