// `/v1/radar`: current launches ranked by their odds, free and live. Bodies are cached by limit until the ranking is rebuilt.

import { explain } from '../../../processors/mint/card/explain.ts'
import { GRADUATION_BUYS_MIN, ODDS_HEADS, RUG_HORIZON_S } from '../../../processors/odds/heads.ts'
import { MINTS_MAX } from '../../answer-schemas/check.ts'
import type { Radar } from '../../answer-schemas/ranked.ts'
import { type Answer, RESTORING } from '../../questions/bodies.ts'
import { type InputOf, integer } from '../../questions/params.ts'
import { isStale } from '../feed.ts'
import { missingOf } from '../market/missing.ts'
import type { Answered, RequestContext } from '../question.ts'
import type { Service } from '../service.ts'
import { REFRESH_S, ROWS_MAX, type Standings } from './board.ts'
import { GRADUATION_WINDOW_S, RUG_WINDOW_S } from './rank.ts'

const LIMIT = 10
export const radarParams = { limit: integer({ min: 1, max: ROWS_MAX, fallback: LIMIT, doc: 'Maximum number of rows per side.' }) }

export const RADAR_PAGE = '/radar'
const CALIBRATION = '/v1/calibration'
const PUSH_DAYS = 30

/** Cached bodies by limit, for each build of the ranking. */
const bodies = new WeakMap<Standings, Map<number, Answer>>()

export const answerRadar = ({ limit }: InputOf<typeof radarParams>, ask: RequestContext): Answered => {
  if (!ask.instant.status.ready) return RESTORING
  const standings = ask.service.board.standings(ask.instant)
  return standings instanceof Promise ? standings.then((made) => bodyOf(made, limit, ask)) : bodyOf(standings, limit, ask)
}

const bodyOf = (standings: Standings, limit: number, { service, facts }: RequestContext): Answer => {
  const known = bodies.get(standings) ?? new Map<number, Answer>()
  bodies.set(standings, known)
  const made = known.get(limit)
  if (made !== undefined) return made
  const { instant } = standings
  const missing = missingOf(instant, instant.moment.asOf - GRADUATION_WINDOW_S, 'launches')
  const data = { ...radarOf(service, standings, limit, facts.feedLagSMax), ...missing }
  const coverage = missing === null ? 'full' : 'thin'
  const answer = { status: 200, body: service.envelope(facts, instant, { coverage, data: JSON.stringify(data), next: NEXT }) }
  known.set(limit, answer)
  return answer
}

const NEXT = JSON.stringify({ mint: '/v1/mint/{mint}', check: '/v1/check/mint/{mint}' })
const NOTE =
  'Odds are statistical and graded in public, not advice; a row without odds has the reason. Ages and figures are as of data.as_of. Names are written by token creators.'

const radarOf = (service: Service, { instant, candidates, rug, graduation }: Standings, limit: number, feedLagSMax: number): Radar => ({
  as_of: instant.moment.asOf,
  refresh_s: REFRESH_S,
  rug_window_s: RUG_WINDOW_S,
  graduation_window_s: GRADUATION_WINDOW_S,
  graduation_min_buys: GRADUATION_BUYS_MIN,
  candidates,
  feed: {
    ...explain({ lag_s: instant.feed.feedLagS }, { lag_s: instant.feed.feedLagReason ?? '' }),
    is_stale: isStale(instant.feed, feedLagSMax),
  },
  ranked_by: { rug_risk: rug.by, graduation: graduation.by },
  top_rug_risk: rug.rows.slice(0, limit),
  top_graduation: graduation.rows.slice(0, limit),
  model: modelPart(service),
  how_to_buy: {
    single: soldPart(service, '/v1/check/mint/{mint}'),
    batch: { ...soldPart(service, '/v1/check/watchlist'), max_mints: MINTS_MAX },
    payment:
      'x402 version 2, scheme exact, USDC: request the route, sign the terms of its 402, and request it again with PAYMENT-SIGNATURE',
  },
  polling: pollingPart(service, instant.moment.asOf),
  page: `${service.options.baseUrl}${RADAR_PAGE}`,
  note: NOTE,
})

/** `id` is the model of the rug side; `heads` has the models of both sides. */
const modelPart = ({ options }: Service) => {
  const heads = ODDS_HEADS.map((head) => options.odds.headState(head))
  const id = heads[0]?.modelId ?? null
  return {
    ...explain({ id }, { id: 'no model of the odds is active' }),
    calibration: CALIBRATION,
    horizon_s: RUG_HORIZON_S,
    heads: heads.map(({ head, isShown, reason, modelId, since }) => ({
      head,
      ...explain({ model_id: modelId }, { model_id: 'no model of the odds is active' }),
      is_shown: isShown,
      ...(reason !== null && { hidden_reason: reason }),
      ...(since !== null && { since }),
    })),
  }
}

const soldPart = (service: Service, path: string) => {
  const question = service.options.questions.find((one) => one.path === path)
  return {
    route: path,
    price_usd: question === undefined ? 0 : service.priceUsd(question),
    ...explain({ mcp_tool: question?.tool ?? null }, { mcp_tool: 'there is no MCP tool for this route' }),
  }
}

/** The URL of `/v1/launches/since` is a complete request and starts at `asOf`; that of the alerts lacks the kinds and the target. */
const pollingPart = (service: Service, asOf: number): Radar['polling'] => {
  const { baseUrl } = service.options
  const sold = (path: string, example: string) => {
    const { price_usd, ...tool } = soldPart(service, path)
    return { url: `${baseUrl}${example}`, price_usd, ...tool }
  }
  const since = '/v1/launches/since'
  const alerts = '/v1/alerts/webhook'
  const { mcp_tool: _, mcp_tool_reason: __, ...push } = sold(alerts, alerts)
  const every = { ...sold(since, `${since}?since=${asOf}`), what: 'every covered launch, oldest first, each once' }
  return {
    changes_at_most_every_s: REFRESH_S,
    suggested_poll_s: REFRESH_S,
    rug_rows_leave_after_s: RUG_WINDOW_S,
    note: `Rebuilt at most every ${REFRESH_S} s for all callers: faster polling returns the same object. limit can be up to ${ROWS_MAX} rows per side.`,
    ...explain(
      {
        every_launch: service.serves(since) ? every : null,
        push: service.serves(alerts)
          ? {
              ...push,
              days: PUSH_DAYS,
              page: `${baseUrl}/alerts`,
              what: 'mints whose odds of graduation reach your minimum, and rug flags, pushed to you',
            }
          : null,
      },
      { every_launch: NOT_SERVED, push: NOT_SERVED },
    ),
  }
}
const NOT_SERVED = 'this version does not serve the route'
