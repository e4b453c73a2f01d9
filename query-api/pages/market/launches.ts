// The table of launches: each with a bar for its curve and its flags.
import { DELAY_S } from '../../answers/delay.ts'
import { copyButton } from '../copy.ts'
import { count, percent, short, sol, span, UNKNOWN, words } from '../figures.ts'
import { chip, type ShownFlag } from '../flags.ts'
import { type Html, html } from '../html.ts'
import type { Line } from './lines.ts'

/**
 * Width of a full bar, in units of its SVG. A bar's length is the progress of the curve to completion, on a square-root scale, because most
 * curves end below a tenth.
 */
const BAR = 200
const COMPLETION_SOL = 85
const along = (solAmount: number): number => Math.round(BAR * Math.sqrt(Math.min(1, Math.max(0, solAmount) / COMPLETION_SOL)) * 10) / 10
/** Compares the formatted figures: equal ones are shown once. */
const isSame = (now: number | null, peak: number | null): boolean => sol(now) === sol(peak)

export const launchesPart = (lines: readonly Line[]): Html => {
  if (lines.length === 0)
    return html`<p class="empty">No launch has stayed unchanged for ${span(DELAY_S)} yet. This list updates by itself.</p>`
  return html`<table role="table" class="launches">
<caption class="hidden">Newest launches that have not changed for ${DELAY_S} seconds</caption>
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Launch</th>
<th role="columnheader" scope="col" class="n">Age</th><th role="columnheader" scope="col">SOL in the curve</th>
<th role="columnheader" scope="col" class="n">Buyers</th><th role="columnheader" scope="col" class="n">Top 5 hold</th>
<th role="columnheader" scope="col">Observed, time after launch</th></tr></thead>
<tbody role="rowgroup">${lines.map(row)}</tbody>
</table>`
}

const row = ({ item, ageS, flags }: Line): Html => {
  const peak = 'peak_rs_sol' in item.curve ? item.curve.peak_rs_sol : null
  return html`<tr role="row">
<th role="rowheader" scope="row"><a class="name" href="/token/${item.mint}"><bdi>${item.name === '' ? 'no name' : item.name}</bdi>
<bdi class="symbol">${item.symbol}</bdi></a> <span class="mint"><code title="${item.mint}">${short(item.mint)}</code> ${copyButton(item.mint, 'address')}</span></th>
<td role="cell" class="n age">${span(ageS)}</td>
<td role="cell" class="curve">
<div class="gauge">${bar(item.curve.rs_sol, peak, flags)}<span class="sol">${solText(item.curve.rs_sol, peak)}</span></div></td>
<td role="cell" class="n buyers" data-label="buyers">${count(item.demand === null ? null : item.demand.unique_buyers)}</td>
<td role="cell" class="n top5" data-label="top 5">${percent(item.holders === null ? null : item.holders.top5_share)}</td>
<td role="cell" class="seen">${seen(item.risk_label, item.status, flags)}</td>
</tr>`
}

const solText = (now: number | null, peak: number | null): Html => {
  if (now === null) return html`<span class="of">not known</span>`
  if (peak === null) return html`${sol(now)} <span class="of">last seen</span>`
  if (isSame(now, peak)) return html`${sol(now)} <span class="of">at its peak</span>`
  return html`${sol(now)} <span class="of">of ${sol(peak)}</span>`
}

/** Filled: SOL now. Outline: the peak. */
const bar = (now: number | null, peak: number | null, flags: readonly ShownFlag[]): Html => {
  if (now === null || peak === null) return html`<span class="bar none" aria-hidden="true"></span>`
  const kind = flags.some(({ isGrave }) => isGrave) ? ' grave' : flags.length > 0 ? ' flagged' : ''
  return html`<svg class="bar${kind}" viewBox="0 0 ${BAR} 10" preserveAspectRatio="none" aria-hidden="true">
<path class="rail" d="M0 9.5H${BAR}"/><rect class="peak" width="${along(peak)}" height="10"/>
<rect class="now" width="${along(now)}" height="10"/></svg>`
}

const seen = (label: string, status: string, flags: readonly ShownFlag[]): Html => {
  const state = status === 'live_curve' ? (label === 'rug_flagged' ? '' : words(label)) : words(status)
  if (state === '' && flags.length === 0) return html`${UNKNOWN}`
  return html`<ul class="chips">${flags.map(chip)}${state === '' ? '' : html`<li class="state">${state}</li>`}</ul>`
}
