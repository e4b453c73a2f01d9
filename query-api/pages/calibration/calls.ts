// The odds' calls day by day, bad days included.
import type { CallData, TrackRecordData } from '../../answer-schemas/odds/track-record.ts'
import { count, percent, span, UNKNOWN } from '../figures.ts'
import { type Html, html } from '../html.ts'

export const callsPart = ({ calls, calls_reason }: TrackRecordData): Html => html`<section class="panel" aria-labelledby="calls">
<h2 id="calls">Calls, day by day</h2>
${
  calls === null
    ? html`<p class="empty">Not known: ${calls_reason ?? UNKNOWN}.</p>`
    : html`<p class="note">A launch is called once, at the first value that reaches the bar. No day is left out.</p>
<div class="small-drawings">${calls.map(callPart)}</div>`
}
</section>`

const callPart = ({ call, meaning, at_least, total, days, worst_day }: CallData): Html => html`<article>
<h3>${meaning}, at ${percent(at_least)}</h3>
<p class="note">${count(total.hits)} of ${count(total.calls)} calls came true (${percent(total.precision)}); random calls would be right in
${percent(total.base_rate)}. ${worst_day === null ? '' : html`Worst day: ${worst_day.day}, ${percent(worst_day.precision)}.`}</p>
<div class="scroll" tabindex="0" role="region" aria-label="Calls of ${call} by day"><table class="rows">
<thead><tr><th scope="col">Day</th><th scope="col" class="n">Calls</th><th scope="col" class="n">Right</th><th scope="col" class="n">Found</th>
<th scope="col" class="n">Before</th></tr></thead>
<tbody>${days.map(
  (day) => html`<tr><th scope="row">${day.day}</th><td class="n">${count(day.calls)}</td><td class="n">${percent(day.precision)}</td>
<td class="n">${percent(day.recall)}</td><td class="n">${day.lead_p50_s === null ? UNKNOWN : span(day.lead_p50_s)}</td></tr>`,
)}</tbody></table></div></article>`
