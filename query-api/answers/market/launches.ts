// `/v1/launches/recent`: the newest launches that match the filters.
import { isAlive } from '../../../processors/mint/card/labels.ts'
import type { Moment } from '../../../processors/mint/card/moment.ts'
import { isOpen } from '../../../processors/mint/rows.ts'
import { ALIVE_S, LAMPORTS_PER_SOL } from '../../../processors/mint/thresholds.ts'
import type { MintState } from '../../../schemas/types.ts'
import type { Answer } from '../../questions/bodies.ts'
import type { InputOf } from '../../questions/params.ts'
import { boolean, integer, number } from '../../questions/params.ts'
import { withFinality } from '../cards/finality-text.ts'
import type { RequestContext } from '../question.ts'
import { listed } from './missing.ts'

export const launchesParams = {
  limit: integer({ min: 1, max: 100, fallback: 50, doc: 'Maximum number of launches.' }),
  max_age_s: number({ min: 30, max: 21_600, fallback: 3_600, doc: 'Maximum age of the launches, seconds.' }),
  exclude_mayhem: boolean({ fallback: true, doc: 'True: omits launches in mayhem mode.' }),
  min_rs: number({
    min: 0,
    fallback: 0,
    doc: 'Minimum SOL in the open curve now; above 0, omits curves that are complete or migrated, or whose SOL is not known.',
  }),
  only_alive: boolean({ fallback: false, doc: `True: only open curves that are not drained and were traded in the last ${ALIVE_S} s.` }),
}
export type LaunchesInput = InputOf<typeof launchesParams>

export const answerLaunches = (input: LaunchesInput, ask: RequestContext): Answer => {
  const { service, instant } = ask
  const since = instant.moment.asOf - input.max_age_s
  const items: string[] = []
  for (const snapshot of service.options.view.launchesSince(since)) {
    if (!passes(snapshot.state, input, instant.moment)) continue
    items.push(withFinality(service.launches.get(snapshot, instant.moment), service.finalityOf))
    if (items.length >= input.limit) break
  }
  return listed(ask, { items, since, what: 'launches' })
}

/** Whether a launch matches the filters. */
export const passes = (state: Pick<MintState, 'launch' | 'curve' | 'flags'>, input: LaunchesInput, moment: Moment): boolean => {
  const { launch, curve } = state
  if (launch === null || curve === null) return false
  if (input.exclude_mayhem && launch.mayhem) return false
  if (input.min_rs > 0) {
    const reserveLamports = launch.quoteMint === null && isOpen(curve) ? curve.realQuoteUnits : -1
    if (reserveLamports < input.min_rs * LAMPORTS_PER_SOL) return false
  }
  return !input.only_alive || isAlive(state, moment)
}
