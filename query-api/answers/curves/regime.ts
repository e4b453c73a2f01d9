// `/v1/alt/regime`: the alt chain's launchpad over a minute and an hour; live and free.
import { curveRegime } from '../../../processors/curve/card/regime.ts'
import type { CurveFiguresRow, CurveLaunchRow } from '../../../schemas/types.ts'
import type { CurveSnapshot } from '../../../topology/ports/curve-view.ts'
import type { CurveTrades } from '../../../topology/ports/history.ts'
import type { Answer } from '../../questions/bodies.ts'
import { NO_HISTORY } from '../cards/base-rates.ts'
import { current } from '../market/figures-behind.ts'
import { missingBlocksOf } from '../market/missing.ts'
import { enveloped, type RequestContext } from '../question.ts'
import { REGIME_LINKS } from './links.ts'

const MINUTE_S = 60
const HOUR_S = 3_600
/** Launches up to this age are read (rows are kept this long), so that a graduation within the last hour has its launch. */
const LOOK_BACK_S = 6 * HOUR_S

interface Held {
  readonly launchedAt: CurveLaunchRow['at']
  /** Null before the graduation. */
  readonly graduatedAt: CurveFiguresRow['graduatedAt'] | null
}

/** Decoded times by snapshot, which is one version of a curve's rows: only changed curves are decoded again. */
const heldOf = new WeakMap<CurveSnapshot, Held>()

/** Trades are counted from the history, everything else from the live state. */
export const answerCurveRegime = (_input: object, ask: RequestContext): Answer => {
  const { instant } = ask
  const { asOf } = instant.moment
  const missing = missingBlocksOf(instant, asOf - HOUR_S, 'launches')
  const held = heldSince(ask, asOf - LOOK_BACK_S)
  const known = ask.service.options.history?.curveMarket() ?? { ok: false as const, reason: NO_HISTORY }
  const trades = current(known, 'counts of trades', instant)
  const data = {
    as_of: instant.status.folded?.time ?? null,
    ...(instant.status.folded === null && { as_of_reason: 'no frame of the chain was applied yet' }),
    trades_as_of: trades.ok ? trades.asOf : null,
    ...(trades.ok ? {} : { trades_as_of_reason: trades.reason }),
    minute: windowOf(held, MINUTE_S, ask, trades.ok ? trades.value.minute : trades.reason),
    hour: windowOf(held, HOUR_S, ask, trades.ok ? trades.value.hour : trades.reason),
    ...(missing ?? {}),
  }
  return enveloped(ask, { coverage: missing === null ? 'full' : 'thin', data: JSON.stringify(data), next: REGIME_LINKS })
}

const heldSince = ({ service }: RequestContext, since: number): readonly Held[] =>
  [...service.curves.context.view.launchesSince(since)].flatMap((snapshot) => {
    const held = heldOf.get(snapshot) ?? readHeld(snapshot)
    return held === null ? [] : [held]
  })

const readHeld = (snapshot: CurveSnapshot): Held | null => {
  const { launch, figures } = snapshot.head
  if (launch === null || figures === null) return null
  const held = { launchedAt: launch.at, graduatedAt: figures.graduatedNumber === -1 ? null : figures.graduatedAt }
  heldOf.set(snapshot, held)
  return held
}

/** @param trades or the reason why they are not known. */
const windowOf = (held: readonly Held[], windowS: number, { instant }: RequestContext, trades: CurveTrades | string) => {
  const { moment, status } = instant
  const since = moment.asOf - windowS
  const graduationS = held.flatMap(({ launchedAt, graduatedAt }) =>
    graduatedAt !== null && graduatedAt >= since ? [graduatedAt - launchedAt] : [],
  )
  const observedS = status.observedSince === null ? 0 : Math.max(0, Math.min(windowS, moment.asOf - status.observedSince))
  return curveRegime(
    {
      ...{ windowS, observedS },
      launches: held.filter(({ launchedAt }) => launchedAt >= since).length,
      graduations: graduationS.length,
      graduationS,
      trades: typeof trades === 'string' ? null : trades,
    },
    typeof trades === 'string' ? trades : '',
  )
}
