// The base rates of cards, updated once a minute and spliced into the card's text.
import { explain } from '../../../processors/mint/card/explain.ts'
import type { BaseRates, History, Known } from '../../../topology/ports/history.ts'

export const NO_HISTORY = 'this server has no history store, which figures over long windows need'

const NONE_RESOLVED = 'no launch of the window is resolved yet'

/** JSON member `base_rates`, and its reason if null. */
const membersOf = (known: Known<BaseRates>): string => {
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

/** Returns a function for the current members, memoized until the rates change. */
export const baseRatesTeller = (history: History | undefined): (() => string) => {
  if (history === undefined) {
    const none = membersOf({ ok: false, reason: NO_HISTORY })
    return () => none
  }
  let [told, text]: [Known<BaseRates> | undefined, string] = [undefined, '']
  return () => {
    const known = history.baseRates()
    if (told !== known) [told, text] = [known, membersOf(known)]
    return text
  }
}
