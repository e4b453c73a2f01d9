// The member `base_rates` of cards, as JSON text that is spliced into the card. The history updates the rates once a minute.
import { explain } from '../../../processors/mint/card/explain.ts'
import type { BaseRates, CachedResult, History } from '../../../topology/ports/history.ts'

export const NO_HISTORY = 'this server has no history store; figures over long windows need one'

const NONE_RESOLVED = 'no launch of the window is resolved yet'

/** JSON member `base_rates`, and its reason if null. */
const membersOf = (known: CachedResult<BaseRates>): string => {
  if (!known.ok) return JSON.stringify({ base_rates: null, base_rates_reason: known.reason }).slice(1, -1)
  const { windowDays, launches, gradRate, rugRate, devSoldRate, reached5SolRate } = known.value
  const rates = explain(
    {
      window_days: windowDays,
      launches,
      grad_rate: gradRate,
      rug_rate: rugRate,
      dev_sold_rate: devSoldRate,
      reached_5_sol_rate: reached5SolRate,
      as_of: known.asOf,
    },
    { grad_rate: NONE_RESOLVED, rug_rate: NONE_RESOLVED, dev_sold_rate: NONE_RESOLVED, reached_5_sol_rate: NONE_RESOLVED },
  )
  return JSON.stringify({ base_rates: rates }).slice(1, -1)
}

/** Returns a function that returns the current member, memoized until the rates change. */
export const baseRatesMember = (history: History | undefined): (() => string) => {
  if (history === undefined) {
    const none = membersOf({ ok: false, reason: NO_HISTORY })
    return () => none
  }
  let [rendered, text]: [CachedResult<BaseRates> | undefined, string] = [undefined, '']
  return () => {
    const known = history.baseRates()
    if (rendered !== known) [rendered, text] = [known, membersOf(known)]
    return text
  }
}
