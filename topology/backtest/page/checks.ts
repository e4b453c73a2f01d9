// The robustness checks: calls repeated under changed conditions (look-ahead), and a run with some events lost.
import type { Graded } from '../report-types.ts'
import { type Html, html, NOTHING } from './html.ts'
import { count, percent, some } from './words.ts'

const ROWS_MAX = 50
const EXAMPLES_MAX = 5

/** One line for the top of the page, red if a repeated call changed its answer. */
export const lookAheadPart = (settings: readonly Graded[]): Html => {
  const checkedSettings = settings.filter(({ lookAhead }) => lookAhead !== null)
  const sum = (of: 'checked' | 'flips'): number => checkedSettings.reduce((total, { lookAhead }) => total + (lookAhead?.[of] ?? 0), 0)
  if (checkedSettings.length === 0) return NOTHING
  const [checked, flips] = [sum('checked'), sum('flips')]
  if (flips === 0)
    return html`<p class="check"><b>No look-ahead found.</b> ${some(checked, 'call')} repeated in fresh instances, with other addresses and
dates, and in reverse order: the same answers.</p>`
  const examples = checkedSettings.flatMap(({ name, lookAhead }) =>
    (lookAhead?.examples ?? []).map((example) => html`<li><bdi>${name}</bdi>: ${example}</li>`),
  )
  return html`<div class="check failed"><p><b>Look-ahead: ${some(flips, 'changed answer')} in ${some(checked, 'repeated call')}</b>,
in fresh instances, with other addresses or dates, or in reverse order. The detector uses more than the rows of the call; its figures mean
nothing until that is fixed.</p>
<ul>${examples.slice(0, EXAMPLES_MAX)}</ul></div>`
}

const rowOf = ({ name, lookAhead, loss }: Graded): Html => {
  const flips = lookAhead?.flips ?? null
  const kept = loss === null ? null : loss.flaggedBoth / (loss.flaggedBoth + loss.flaggedOnlyWhole)
  return html`<tr><th scope="row"><bdi>${name}</bdi></th><td class="n">${count(lookAhead?.checked ?? null)}</td>
<td class="n${flips !== null && flips > 0 ? ' failed' : ''}">${count(flips)}</td>
<td class="n">${percent(loss?.lostShare ?? null)}</td><td class="n">${percent(kept)}</td>
<td class="n">${count(loss?.flaggedOnlyWhole ?? null)}</td><td class="n">${count(loss?.flaggedOnlyLossy ?? null)}</td></tr>`
}

export const checksPart = (settings: readonly Graded[]): Html => {
  const checkedSettings = settings.filter(({ lookAhead, loss }) => lookAhead !== null || loss !== null).slice(0, ROWS_MAX)
  if (checkedSettings.length === 0) return NOTHING
  const heads = ['Calls repeated', 'Flips', 'Events lost', 'Flags kept', 'Flags gone', 'Flags new']
  return html`<section aria-labelledby="checks"><h2 id="checks">Do the calls hold?</h2>
<p class="note">Look-ahead: calls are repeated in fresh instances, with other addresses and dates, and in reverse order. Loss: the run is
repeated with some events lost at random; a detector that needs every single event will fail on a real feed.</p>
<div class="box" role="region" aria-label="Look-ahead and loss" tabindex="0"><table>
<caption>Look-ahead and loss by setting</caption>
<thead><tr><th scope="col">Setting</th>${heads.map((head) => html`<th scope="col" class="n">${head}</th>`)}</tr></thead>
<tbody>${checkedSettings.map(rowOf)}</tbody></table></div></section>`
}
