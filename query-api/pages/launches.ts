// The table of launches: a bar for each curve, and the flags that fired.
import { DELAY_S } from '../answers/delay.ts'
import { count, percent, short, sol, span, UNKNOWN, words } from './figures.ts'
import { type Html, html } from './html.ts'
import type { Line } from './lines.ts'

/** The bar's length stands for completion; its scale is a square root, because most curves end below a tenth. */
const BAR = 200
const COMPLETION_SOL = 85
const along = (solAmount: number): number => Math.round(BAR * Math.sqrt(Math.min(1, Math.max(0, solAmount) / COMPLETION_SOL)) * 10) / 10

export const launchesPart = (lines: readonly Line[]): Html => {
  if (lines.length === 0)
    return html`<p class="empty">No launch that was seen has rested for ${span(DELAY_S)} yet. This list fills by
itself.</p>`
  return html`<table role="table" class="launches">
<caption class="hidden">Newest launches that have not changed for ${DELAY_S} seconds, as of then</caption>
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Launch</th>
<th role="columnheader" scope="col" class="n">Age</th><th role="columnheader" scope="col">Curve, SOL of peak</th>
<th role="columnheader" scope="col" class="n">Buyers</th><th role="columnheader" scope="col" class="n">Top 5</th>
<th role="columnheader" scope="col">Seen</th></tr></thead>
<tbody role="rowgroup">${lines.map(row)}</tbody>
</table>`
}

const row = ({ item, ageS, flags }: Line): Html => {
  const peak = 'peak_rs_sol' in item.curve ? item.curve.peak_rs_sol : null
  return html`<tr role="row">
<th role="rowheader" scope="row"><span class="name"><bdi>${item.name === '' ? 'no name' : item.name}</bdi>
<bdi class="symbol">${item.symbol}</bdi></span> <code class="mint" title="${item.mint}">${short(item.mint)}</code></th>
<td role="cell" class="n age">${span(ageS)}</td>
<td role="cell" class="curve">
<div class="gauge">${bar(item.curve.rs_sol, peak, flags.length > 0)}<span class="sol">${sol(item.curve.rs_sol)} <span
class="of">of ${sol(peak)}</span></span></div></td>
<td role="cell" class="n buyers" data-label="buyers">${count(item.demand === null ? null : item.demand.unique_buyers)}</td>
<td role="cell" class="n top5" data-label="top 5">${percent(item.holders === null ? null : item.holders.top5_share)}</td>
<td role="cell" class="seen">${seen(item.risk_label, item.status, flags)}</td>
</tr>`
}

/** Filled: now. Outline: the peak. */
const bar = (now: number | null, peak: number | null, isFlagged: boolean): Html => {
  if (now === null || peak === null) return html`<span class="bar none" aria-hidden="true"></span>`
  return html`<svg class="bar${isFlagged ? ' flagged' : ''}" viewBox="0 0 ${BAR} 10" preserveAspectRatio="none" aria-hidden="true">
<path class="rail" d="M0 9.5H${BAR}"/><rect class="peak" width="${along(peak)}" height="10"/>
<rect class="now" width="${along(now)}" height="10"/></svg>`
}

const seen = (label: string, status: string, flags: Line['flags']): Html => {
  const state = status === 'live_curve' ? (label === 'rug_flagged' ? '' : words(label)) : words(status)
  const chips = flags.map(({ flag, ageS }) => html`<li class="flag">${words(flag)} <span class="at">at ${span(ageS)}</span></li>`)
  if (state === '' && chips.length === 0) return html`${UNKNOWN}`
  return html`<ul class="chips">${chips}${state === '' ? '' : html`<li class="state">${state}</li>`}</ul>`
}
