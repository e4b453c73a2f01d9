// `/v1/market/regime`: the market over a minute, an hour and a day, live and free.

import { solOf } from '../../processors/mint/amounts.ts'
import { detectors } from '../../processors/mint/detectors/index.ts'
import { explain } from '../../processors/mint/explain.ts'
import type { Known, Regime, RegimeWindow } from '../../topology/ports/history.ts'
import type { Missing } from '../answer-schemas/envelope.ts'
import { FLAGS } from '../answer-schemas/flags.ts'
import type { Window } from '../answer-schemas/market.ts'
import type { Answer } from '../bodies.ts'
import type { Ask } from '../question.ts'
import type { Look, Service } from '../service.ts'
import { NO_HISTORY } from './base-rates.ts'
import { current } from './figures-behind.ts'
import { missingOf } from './missing.ts'

const WINDOWS = ['minute', 'hour', 'day'] as const
const HOUR_S = 3_600
export const DAY_S = 86_400
const LOOKED_FOR: ReadonlySet<string> = new Set(detectors.map(({ flag }) => flag))

/** What history knows of the market, however old: for who shows its age. */
export const regimeOf = ({ options: { history } }: Service): Known<Regime> => history?.regime() ?? { ok: false, reason: NO_HISTORY }

export const answerRegime = (_input: object, { service, look, facts }: Ask): Answer => {
  const known = current(regimeOf(service), 'figures of the market', look)
  const day = known.ok ? missingFrom(look, known.asOf - DAY_S) : null
  const isFull = known.ok && day === null
  const data = known.ok ? knownData(known.value, known.asOf, look) : unknownData(known.reason)
  return {
    status: 200,
    body: service.envelope(facts, look, { coverage: isFull ? 'full' : 'thin', data: JSON.stringify(data), next: NEXT }),
  }
}

const NEXT = '{"launches":"/v1/launches/recent","rugs":"/v1/rugs/recent"}'

const missingFrom = (look: Look, since: number): Missing | null => missingOf(look, since, 'events')

const knownData = (regime: Regime, asOf: number, look: Look) => ({
  as_of: asOf,
  ...Object.fromEntries(
    WINDOWS.map((name) => {
      const window = regime[name]
      return [name, windowData(window, observedIn(window, asOf, look), missingFrom(look, asOf - window.windowS))]
    }),
  ),
  ...(missingFrom(look, asOf - DAY_S) ?? {}),
})

const unknownData = (reason: string) => ({
  ...explain({ as_of: null, minute: null, hour: null, day: null }, { as_of: reason, minute: reason, hour: reason, day: reason }),
  coverage_reason: reason,
})

/** Seconds of the window that were observed: history knows whole minutes, the view knows the second in which capture began. */
export const observedIn = ({ observedS }: RegimeWindow, asOf: number, { status: { observedSince } }: Look): number =>
  Math.max(0, Math.min(observedS, observedSince === null ? observedS : asOf - observedSince))

/** Per observed hour; null where nothing of the window was observed. */
export const launchesPerHour = ({ launches }: RegimeWindow, observedS: number): number | null =>
  observedS === 0 ? null : (launches * HOUR_S) / observedS

const windowData = (window: RegimeWindow, observedS: number, missing: Missing | null): Window => ({
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
      rug_flags: rugFlagsOf(window),
    },
    {
      launches_per_hour: 'no second of the window was observed',
      mayhem_share: 'nothing was launched in the window',
      failed_share: 'history has no count of failed transactions for the window',
    },
  ),
  coverage: missing === null ? 'full' : 'thin',
  ...(missing ?? {}),
})

/** The six mechanisms: fired so often; null where this version does not look. */
const rugFlagsOf = ({ rugFlags }: RegimeWindow): Record<string, number | string | null> => {
  const told: Record<string, number | string | null> = {}
  for (const flag of FLAGS) {
    told[flag] = LOOKED_FOR.has(flag) ? (rugFlags[flag] ?? 0) : null
    if (told[flag] === null) told[`${flag}_reason`] = 'not looked for by this version'
  }
  return told
}
