// `/radar`: the ranked preview for people, of the same rows as `/v1/radar`.
import type { PreviewRow, Standings } from '../answers/ranked/board.ts'
import { REFRESH_S } from '../answers/ranked/board.ts'
import { RUG_WINDOW_S } from '../answers/ranked/rank.ts'
import type { Service } from '../answers/service.ts'
import { buyingPart } from './buying.ts'
import { sheetOf } from './document.ts'
import { count, percent, sol, span, UNKNOWN, words } from './figures.ts'
import { type Html, html } from './html.ts'

const ROWS = 10
const NAV = html`<nav aria-label="Other pages"><a href="/#launches">All launches</a> <a href="#buy">Buy</a></nav>`

/** By the standings that it shows: made once for everybody. */
const made = new WeakMap<Standings, string>()

export const radarPage = (service: Service, standings: Standings): string => {
  const known = made.get(standings)
  if (known !== undefined) return known
  const page = sheetOf(service, standings.look, { title: 'mintfold: radar', main: mainOf(service, standings), nav: NAV }).toString()
  made.set(standings, page)
  return page
}

const mainOf = (service: Service, { candidates, rug, graduation }: Standings): Html => html`<section class="lead" aria-labelledby="lead">
<h1 id="lead">Radar</h1>
<p class="note">Launches of now, ranked by odds that are logged before the outcome is known and graded in public. Live, made anew every
${REFRESH_S} s. <span data-live="candidates"><b>${count(candidates)}</b> launches are looked at.</span> Programs ask
<a href="/v1/radar">/v1/radar</a>.</p>
</section>
<section class="list" aria-labelledby="rug">
<h2 id="rug">Odds of a rug within 300 s</h2>
<div data-live="rug"><p class="note">Launches younger than ${span(RUG_WINDOW_S)}. Ranked by ${rug.by}.</p>
${sidePart(rug.rows, 'rug_within_300s', 'No launch is that young now.')}</div>
</section>
<section class="list" aria-labelledby="graduation">
<h2 id="graduation">Odds of graduation</h2>
<div data-live="graduation"><p class="note">Open curves up to 15 min old with at least 5 buys. Ranked by ${graduation.by}.</p>
${sidePart(graduation.rows, 'true_graduation', 'No open curve of that age has 5 buys now.')}</div>
</section>
<section class="buy" aria-labelledby="buy">
<h2 id="buy">Buy a check</h2>
${buyingPart(service, rug.rows[0] === undefined ? undefined : `/v1/check/mint/${rug.rows[0].mint}`)}
</section>`

type Head = 'rug_within_300s' | 'true_graduation'

const sidePart = (rows: readonly PreviewRow[], head: Head, nobody: string): Html =>
  rows.length === 0
    ? html`<p class="empty">${nobody}</p>`
    : html`<table role="table" class="launches radar">
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Launch</th>
<th role="columnheader" scope="col" class="n">Odds</th><th role="columnheader" scope="col" class="n">Age</th>
<th role="columnheader" scope="col" class="n">SOL</th><th role="columnheader" scope="col" class="n">Buys</th>
<th role="columnheader" scope="col" class="n">Top 5 hold</th><th role="columnheader" scope="col">Seen</th></tr></thead>
<tbody role="rowgroup">${rows.slice(0, ROWS).map((row) => rowPart(row, head))}</tbody>
</table>`

const rowPart = (row: PreviewRow, head: Head): Html => html`<tr role="row">
<th role="rowheader" scope="row"><a class="name" href="/token/${row.mint}"><bdi>${row.name === '' ? 'no name' : row.name}</bdi>
<bdi class="symbol">${row.symbol}</bdi></a></th>
<td role="cell" class="n odds" data-label="odds">${oddsPart(row, head)}</td>
<td role="cell" class="n age">${span(row.age_s)}</td>
<td role="cell" class="n" data-label="SOL">${sol(row.rs_sol)}</td>
<td role="cell" class="n buyers" data-label="buys">${count(row.n_buys)}</td>
<td role="cell" class="n top5" data-label="top 5">${percent(row.top5_share)}</td>
<td role="cell" class="seen">${row.flags.length === 0 ? UNKNOWN : html`<ul class="chips">${row.flags.map((flag) => html`<li class="flag">${words(flag)}</li>`)}</ul>`}</td>
</tr>`

/** Why there are none is told to who points at the dash, and once above where it holds for all. */
const oddsPart = ({ probabilities }: PreviewRow, head: Head): Html => {
  const odds = probabilities[head]
  return odds === null ? html`<span title="${probabilities[`${head}_reason`] ?? ''}">${UNKNOWN}</span>` : html`${percent(odds)}`
}
