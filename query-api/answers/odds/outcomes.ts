// `/v1/outcomes/{mint}`: the settled labels of a launch, and its logged odds; free.
import { explain } from '../../../processors/mint/card/explain.ts'
import { recordFrom, type Settlement } from '../../../processors/mint/card/history.ts'
import { RUG_HORIZON_S } from '../../../processors/odds/heads.ts'
import { type Key, keyText } from '../../../schemas/keys.ts'
import type { QueryResult, SettledLaunch } from '../../../topology/ports/history.ts'
import type { MintOdds } from '../../../topology/ports/odds-history.ts'
import type { OutcomesData } from '../../answer-schemas/odds/outcomes.ts'
import { type Answer, RESTORING } from '../../questions/bodies.ts'
import { address } from '../../questions/params.ts'
import { NO_HISTORY } from '../cards/base-rates.ts'
import { DELAY_S } from '../delay.ts'
import { enveloped, newest, type RequestContext } from '../question.ts'

const PPM = 1_000_000
const UNSETTLED = `its launch had not settled ${DELAY_S} s ago: launches settle when they migrate, or after an hour without a trade`
const NO_LABEL = 'the launch has no settled label'

export const outcomesParams = { mint: address('Address of the token.') }
interface OutcomesInput {
  readonly mint: Key
}

export const answerOutcomes = async ({ mint }: OutcomesInput, ask: RequestContext): Promise<Answer> => {
  const { service } = ask
  const { history } = service.options
  const unknown = { ok: false as const, reason: NO_HISTORY }
  const [settled, odds] = await Promise.all([history?.settled(mint, 'free') ?? unknown, history?.oddsOf(mint) ?? unknown])
  const instant = newest(ask)
  if (!instant.status.ready) return RESTORING
  const before = instant.moment.asOf - DELAY_S
  const outcome = settlementOf(settled, before)
  const away = [settled, odds].find(({ ok }) => !ok)
  const data: OutcomesData = {
    mint: keyText(mint),
    ...explain(
      {
        outcome: outcome === null ? null : (recordFrom(outcome) as NonNullable<OutcomesData['outcome']>),
        odds: odds.ok ? odds.value.filter(({ at, isShadow }) => at <= before && !isShadow).map((one) => oddsData(one, outcome)) : null,
      },
      { outcome: settled.ok ? UNSETTLED : settled.reason, odds: odds.ok ? '' : odds.reason },
    ),
    delayed_s: DELAY_S,
    ...(away?.ok === false && { coverage_reason: away.reason }),
  }
  const next = JSON.stringify({ mint: `/v1/mint/${keyText(mint)}`, calibration: '/v1/calibration' })
  const parts = { data: JSON.stringify(data), next, delayedS: DELAY_S }
  return enveloped({ ...ask, instant }, { coverage: away === undefined ? 'full' : 'thin', ...parts })
}

const settlementOf = (settled: QueryResult<SettledLaunch | null>, before: number): Settlement | null => {
  const found = settled.ok ? (settled.value?.settlement ?? null) : null
  return found !== null && found.settledAt <= before ? found : null
}

const oddsData = (logged: MintOdds, outcome: Settlement | null): NonNullable<OutcomesData['odds']>[number] => ({
  odds_id: logged.id,
  ...loggedData(logged),
  ...explain({ came_true: cameTrue(logged, outcome) }, { came_true: outcome === null ? UNSETTLED : NO_LABEL }),
  is_retracted: logged.isRetracted,
  proof_url: `/v1/odds/proof?id=${logged.id}`,
})

/** The fields of a logged value in answers. */
export const loggedData = ({ mint, head, ageS, at, ppm, model }: MintOdds) => ({
  ...{ mint, head, age_s: ageS, at },
  probability: ppm / PPM,
  model_id: model,
})

const cameTrue = ({ head }: MintOdds, outcome: Settlement | null): boolean | null => {
  if (outcome === null) return null
  if (head === 'true_graduation') return outcome.graduated
  return outcome.rugged === null ? null : outcome.rugged && outcome.rugDtS !== null && outcome.rugDtS <= RUG_HORIZON_S
}
