// `/v1/alt/launches/recent`: the newest curves that match the filters.
import { isListed } from '../../../processors/curve/card/labels.ts'
import { KEEP_S } from '../../../processors/curve/thresholds.ts'
import type { Answer } from '../../questions/bodies.ts'
import { boolean, type InputOf, integer, number, oneOf } from '../../questions/params.ts'
import { withFinality } from '../cards/finality-text.ts'
import { listed } from '../market/missing.ts'
import type { RequestContext } from '../question.ts'
import { LIST_LINKS } from './links.ts'

export const curveLaunchesParams = {
  limit: integer({ min: 1, max: 200, fallback: 50, doc: 'Maximum number of launches.' }),
  max_age_s: number({ min: 30, max: KEEP_S, fallback: 3_600, doc: 'Maximum age of the launches, seconds.' }),
  pair: oneOf({ values: ['any', 'eth'], fallback: 'any', doc: 'eth: only curves paired with ETH.' }),
  only_live: boolean({ fallback: false, doc: 'True: omits complete and graduated curves.' }),
  min_buys: integer({ min: 0, fallback: 0, doc: 'Minimum number of buys on the curve.' }),
}
type CurveLaunchesInput = InputOf<typeof curveLaunchesParams>

export const answerCurveLaunches = (input: CurveLaunchesInput, ask: RequestContext): Answer => {
  const { service, instant } = ask
  const since = instant.moment.asOf - input.max_age_s
  const filter = { pair: input.pair, onlyLive: input.only_live, minBuys: input.min_buys }
  const items: string[] = []
  for (const snapshot of service.curves.context.view.launchesSince(since)) {
    if (items.length >= input.limit) break
    if (isListed(snapshot.head, filter)) items.push(withFinality(service.curves.item(snapshot, instant.moment), service.curves.finalityOf))
  }
  return listed(ask, { items, since, what: 'launches', next: LIST_LINKS })
}
