// The market regime as a table of three windows, with its time.
import type { CachedResult, Regime, RegimeWindow } from '../../../topology/ports/history.ts'
import { missingOf } from '../../answers/market/missing.ts'
import { DAY_S, launchesPerHour, observedIn } from '../../answers/market/regime.ts'
import type { Instant } from '../../answers/service.ts'
import { count, percent, solOfLamports, span, words } from '../figures.ts'
import { type Html, html } from '../html.ts'

/** `launchesPerHour` is per observed hour; null if nothing was observed. */
type Shown = RegimeWindow & { readonly launchesPerHour: number | null }
type Row = readonly [label: string, show: (window: Shown) => string]

const ROWS: readonly Row[] = [
  ['Launches per hour', ({ launchesPerHour: rate }) => count(rate === null ? null : Math.round(rate))],
  ['Buys', ({ buys }) => count(buys)],
  ['Sells', ({ sells }) => count(sells)],
  ['SOL in', ({ buyLamports }) => solOfLamports(buyLamports)],
  ['SOL out', ({ sellLamports }) => solOfLamports(sellLamports)],
  ['Failed transactions', ({ failedShare }) => percent(failedShare)],
  ['In mayhem mode', ({ mayhemShare }) => percent(mayhemShare)],
  ['Migrated to a pool', ({ migrations }) => count(migrations)],
  ['Of these, graduated', ({ trueGraduations }) => count(trueGraduations)],
]
const flagRow = (flag: string): Row => [words(flag), ({ rugFlags }) => count(rugFlags[flag] ?? 0)]

/** Lag of the history above which the note mentions it, seconds. */
const HISTORY_LAG_S_MAX = 120

/** The figures' time, and the gaps of the longest window. */
export const regimeNote = (regime: CachedResult<Regime>, instant: Instant): string => {
  if (!regime.ok) return 'Live, if known.'
  const lagS = instant.moment.asOf - regime.asOf
  const at = `${new Date(regime.asOf * 1000).toISOString().slice(11, 19)} UTC`
  const when =
    lagS > HISTORY_LAG_S_MAX ? `Not delayed, but the history is ${span(lagS)} behind: as of ${at}.` : `Live, not delayed: as of ${at}.`
  const missing = missingOf(instant, regime.asOf - DAY_S, 'events')
  if (missing === null) return when
  const since = missing.observed_since
  return `${when} ${since === undefined ? 'Slots of the last day are missing.' : `The day is incomplete: capture began ${span(instant.moment.asOf - since)} ago.`}`
}

export const regimePart = (regime: CachedResult<Regime>, instant: Instant, flags: readonly string[]): Html => {
  if (!regime.ok) return html`<p class="empty">Not known: ${regime.reason}.</p>`
  const { asOf, value } = regime
  const shown = [value.minute, value.hour, value.day].map(
    (window): Shown => ({ ...window, launchesPerHour: launchesPerHour(window, observedIn(window, asOf, instant)) }),
  )
  const cells = (show: Row[1]): Html => html`${shown.map((window) => html`<td class="n">${show(window)}</td>`)}`
  const rows = (list: readonly Row[]): Html =>
    html`${list.map(([label, show]) => html`<tr><th scope="row">${label}</th>${cells(show)}</tr>`)}`
  return html`<table class="regime">
<caption class="hidden">The market over the last minute, hour and day</caption>
<thead><tr><td></td><th scope="col" class="n">minute</th><th scope="col" class="n">hour</th><th scope="col" class="n">day</th></tr></thead>
<tbody>${rows(ROWS)}</tbody>
<tbody class="flags"><tr><th scope="rowgroup" colspan="4">Flags that fired</th></tr>${rows(flags.map(flagRow))}</tbody>
</table>`
}
