// The market's last hour as a row of figures.
import type { CachedResult, Regime } from '../../../topology/ports/history.ts'
import { launchesPerHour, observedIn } from '../../answers/market/regime.ts'
import type { Instant } from '../../answers/service.ts'
import { count, percent, solOfLamports, UNKNOWN } from '../figures.ts'
import { type Html, html } from '../html.ts'
import { metersPart } from '../record/meters.ts'

export const nowPart = (regime: CachedResult<Regime>, instant: Instant, flags: readonly string[]): Html => {
  if (!regime.ok) return html`<p class="empty">Market figures are not known: ${regime.reason}.</p>`
  const { hour, minute } = regime.value
  const rate = launchesPerHour(hour, observedIn(hour, regime.asOf, instant))
  const fired = flags.reduce((sum, flag) => sum + (hour.rugFlags[flag] ?? 0), 0)
  return html`<h2 class="hidden">The last hour of the market</h2>${metersPart([
    ['Launches per hour', count(rate === null ? null : Math.round(rate)), `${count(minute.launches)} in the last minute`],
    ['Graduated', count(hour.trueGraduations), `of ${count(hour.migrations)} that migrated in the last hour`],
    ['Rug flags', count(fired), `${count(hour.rugFlags.creator_sold ?? 0)} creators sold`],
    ['SOL in', solOfLamports(hour.buyLamports), `${solOfLamports(hour.sellLamports)} out`],
    ['Trades', count(hour.buys + hour.sells), `${hour.failedShare === null ? UNKNOWN : percent(hour.failedShare)} failed`],
  ])}`
}
