// `/v1/market/regime`: the market over a minute, an hour and a day; live and free.

import { solOf } from '../../../processors/mint/card/amounts.ts'
import { explain } from '../../../processors/mint/card/explain.ts'
import type { CachedResult, Regime, RegimeWindow } from '../../../topology/ports/history.ts'
import type { Missing } from '../../answer-schemas/envelope.ts'
import type { Window } from '../../answer-schemas/market.ts'
import type { Answer } from '../../questions/bodies.ts'
import { NO_HISTORY } from '../cards/base-rates.ts'
import { enveloped, type RequestContext } from '../question.ts'
import type { Instant, Service } from '../service.ts'
import { current } from './figures-behind.ts'
import { missingOf } from './missing.ts'

const WINDOWS = ['minute', 'hour', 'day'] as const
const HOUR_S = 3_600
export const DAY_S = 86_400

/** The history's market figures, of any age: callers show their age. */
export const regimeOf = ({ options: { history } }: Service): CachedResult<Regime> => history?.regime() ?? { ok: false, reason: NO_HISTORY }

export const answerRegime = (_input: object, ask: RequestContext): Answer => {
  const { service, instant } = ask
  const known = current(regimeOf(service), 'figures of the market', instant)
  const day = known.ok ? missingFrom(instant, known.asOf - DAY_S) : null
  const data = known.ok ? knownData(known.value, known.asOf, instant, service.options.detectors.flags) : unknownData(known.reason)
  return enveloped(ask, { coverage: known.ok && day === null ? 'full' : 'thin', data: JSON.stringify(data), next: NEXT })
}

const NEXT = '{"launches":"/v1/launches/recent","rugs":"/v1/rugs/recent"}'

const missingFrom = (instant: Instant, since: number): Missing | null => missingOf(instant, since, 'events')

const knownData = (regime: Regime, asOf: number, instant: Instant, flags: readonly string[]) => ({
  as_of: asOf,
  ...Object.fromEntries(
    WINDOWS.map((name) => {
      const window = regime[name]
      const missing = missingFrom(instant, asOf - window.windowS)
      return [name, windowData(window, observedIn(window, asOf, instant), missing, flags)]
    }),
  ),
  ...(missingFrom(instant, asOf - DAY_S) ?? {}),
})

const unknownData = (reason: string) => ({
  ...explain({ as_of: null, minute: null, hour: null, day: null }, { as_of: reason, minute: reason, hour: reason, day: reason }),
  coverage_reason: reason,
})

/** Observed seconds of the window: from the history in whole minutes, limited by the exact start of capture. */
export const observedIn = ({ observedS }: RegimeWindow, asOf: number, { status: { observedSince } }: Instant): number =>
  Math.max(0, Math.min(observedS, observedSince === null ? observedS : asOf - observedSince))

/** Launches per observed hour; null if no second of the window was observed. */
export const launchesPerHour = ({ launches }: RegimeWindow, observedS: number): number | null =>
  observedS === 0 ? null : (launches * HOUR_S) / observedS

const windowData = (window: RegimeWindow, observedS: number, missing: Missing | null, flags: readonly string[]): Window => ({
  ...explain(
    {
      window_s: window.windowS,
      observed_s: observedS,
      launches: window.launches,
      launches_per_hour: launchesPerHour(window, observedS),
      mayhem_share: window.mayhemShare,
      buys: window.buys,
      sells: window.sells,
      buy_sol: solOf(window.buyLamports),
      sell_sol: solOf(window.sellLamports),
      failed_share: window.failedShare,
      migrations: window.migrations,
      true_graduations: window.trueGraduations,
      rug_flags: rugFlagsOf(window, flags),
    },
    {
      launches_per_hour: 'no second of the window was observed',
      mayhem_share: 'there was no launch in the window',
      failed_share: 'the history has no count of failed transactions for the window',
    },
  ),
  coverage: missing === null ? 'full' : 'thin',
  ...(missing ?? {}),
})

/** How often each flag fired. */
const rugFlagsOf = ({ rugFlags }: RegimeWindow, flags: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries(flags.map((flag) => [flag, rugFlags[flag] ?? 0]))
