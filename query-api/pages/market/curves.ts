// The table of the alt chain's curves.

import { type CurveItem, restedCurves } from '../../answers/curves/rested.ts'
import { DELAY_S } from '../../answers/delay.ts'
import type { Service } from '../../answers/service.ts'
import { count, percent, short, sol, span, UNKNOWN, words } from '../figures.ts'
import { type Html, html } from '../html.ts'

const ROWS_MAX = 8

/** Empty if the alt chain is not followed. */
export const curvesSection = (service: Service): Html => {
  if (!service.curves.context.isFollowed) return html``
  return html`<section class="panel curves" aria-labelledby="curves">
<h2 id="curves">Curves on the alt chain</h2>
<p class="note">As of <b>${span(DELAY_S)}</b> ago: curves that have not changed since. To buy a card, use the address of the curve or of its
token.</p>
<div data-live="curves">${curvesPart(restedCurves(service.curves, service.instant('curves'), ROWS_MAX))}</div>
</section>`
}

const curvesPart = (items: readonly CurveItem[]): Html => {
  if (items.length === 0)
    return html`<p class="empty">No curve has stayed unchanged for ${span(DELAY_S)} yet. This list updates by itself.</p>`
  return html`<table role="table" class="launches">
<caption class="hidden">Newest curves that have not changed for ${DELAY_S} seconds</caption>
<thead><tr><th scope="col">Curve</th><th scope="col" class="n">Age</th><th scope="col" class="n">ETH in the curve</th>
<th scope="col" class="n">Buys</th><th scope="col" class="n">Top 1 holds</th><th scope="col">Observed</th></tr></thead>
<tbody>${items.map(row)}</tbody>
</table>`
}

const row = ({ curve, age_s, raised, flow, structure, lifecycle, findings }: CurveItem): Html => html`<tr>
<th scope="row"><a href="/alt/${curve}"><code title="${curve}">${short(curve)}</code></a></th>
<td class="n age">${span(age_s + DELAY_S)}</td>
<td class="n curve" data-label="ETH">${raised === null ? UNKNOWN : sol(raised.eth)}</td>
<td class="n buyers" data-label="buys">${count(flow === null ? null : flow.n_buys)}</td>
<td class="n top5" data-label="top 1">${percent(structure === null ? null : structure.top1_share)}</td>
<td class="seen">${seen(findings, lifecycle)}</td>
</tr>`

const seen = (findings: CurveItem['findings'], lifecycle: string): Html => {
  if (findings.length === 0 && lifecycle === 'live') return html`${UNKNOWN}`
  const state = lifecycle === 'live' ? '' : html`<li class="state">${lifecycle}</li>`
  return html`<ul class="chips">${findings.map(({ flag }) => html`<li class="flag">${words(flag)}</li>`)}${state}</ul>`
}
