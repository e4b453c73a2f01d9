// `/v1/alt/regime`: the launchpad of curves over a minute and an hour, live and free.
import { curveRegime } from '../../../processors/curve/card/regime.ts'
import type { CurveFiguresRow, CurveLaunchRow } from '../../../schemas/types.ts'
import type { Answer } from '../../questions/bodies.ts'
import { missingBlocksOf } from '../market/missing.ts'
import { type Ask, enveloped } from '../question.ts'
import { REGIME_LINKS } from './links.ts'

const MINUTE_S = 60
const HOUR_S = 3_600
/** Rows are kept so long after a launch that a graduation within the hour has its launch. */
const LOOK_BACK_S = 6 * HOUR_S
const NO_TRADES = 'rows of curves keep no counts of trades over so long a window'

interface Held {
  readonly launch: Pick<CurveLaunchRow, 'at'>
  readonly figures: Pick<CurveFiguresRow, 'graduatedAt' | 'graduatedNumber'>
}

export const answerCurveRegime = (_input: object, ask: Ask): Answer => {
  const { look } = ask
  const { asOf } = look.moment
  const missing = missingBlocksOf(look, asOf - HOUR_S, 'launches')
  const held = heldSince(ask, asOf - LOOK_BACK_S)
  const data = {
    as_of: look.status.folded?.time ?? null,
    ...(look.status.folded === null && { as_of_reason: 'no frame of the chain was folded yet' }),
    minute: windowOf(held, MINUTE_S, ask),
    hour: windowOf(held, HOUR_S, ask),
    ...(missing ?? {}),
  }
  return enveloped(ask, { coverage: missing === null ? 'full' : 'thin', data: JSON.stringify(data), next: REGIME_LINKS })
}

const heldSince = ({ service }: Ask, since: number): readonly Held[] =>
  [...service.curves.ground.view.launchesSince(since)].flatMap(({ head: { launch, figures } }) =>
    launch === null || figures === null ? [] : [{ launch, figures }],
  )

const windowOf = (held: readonly Held[], windowS: number, { look }: Ask) => {
  const { moment, status } = look
  const since = moment.asOf - windowS
  const graduated = held.filter(({ figures }) => figures.graduatedNumber !== -1 && figures.graduatedAt >= since)
  const observedS = status.observedSince === null ? 0 : Math.max(0, Math.min(windowS, moment.asOf - status.observedSince))
  return curveRegime(
    {
      ...{ windowS, observedS },
      launches: held.filter(({ launch }) => launch.at >= since).length,
      graduations: graduated.length,
      graduationS: graduated.map(({ launch, figures }) => figures.graduatedAt - launch.at),
      trades: null,
    },
    NO_TRADES,
  )
}
