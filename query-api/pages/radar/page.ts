// The page `/radar`: the ranked preview, with the rows of `/v1/radar`.
import type { RadarRow, Standings } from '../../answers/ranked/board.ts'
import { REFRESH_S } from '../../answers/ranked/board.ts'
import { RADAR_PAGE } from '../../answers/ranked/radar.ts'
import { RUG_WINDOW_S } from '../../answers/ranked/rank.ts'
import type { Instant, Service } from '../../answers/service.ts'
import { buyingPart } from '../buying.ts'
import { sheetOf, startingDocument } from '../document.ts'
import { count, percent, sol, span, UNKNOWN, words } from '../figures.ts'
import { type Html, html } from '../html.ts'
import type { PageAnswer } from '../page-answer.ts'

const ROWS = 10
const DESCRIPTION =
  'Current launches ranked live by their odds of a rug within 300 s and of graduation; every value is logged and graded in public.'

/** Rendered pages by the standings that they show: one rendering serves all requests. */
const made = new WeakMap<Standings, string>()

const shown = (service: Service, standings: Standings): PageAnswer => {
  const known = made.get(standings)
  if (known !== undefined) return { status: 200, page: known }
  const sheet = { title: 'mintfold: radar', main: mainOf(service, standings), path: RADAR_PAGE, description: DESCRIPTION }
  const page = sheetOf(service, standings.instant, sheet).toString()
  made.set(standings, page)
  return { status: 200, page }
}

/** The startup page while the stores are not ready. */
export const radarPage = (service: Service, instant: Instant): PageAnswer | Promise<PageAnswer> => {
  if (!instant.status.ready) return { status: 503, page: startingDocument(service, instant) }
  const standings = service.board.standings(instant)
  return standings instanceof Promise ? standings.then((one) => shown(service, one)) : shown(service, standings)
}

const mainOf = (service: Service, { candidates, rug, graduation }: Standings): Html => html`<section class="lead" aria-labelledby="lead">
<h1 id="lead">Radar</h1>
<p class="offer">Current launches, ranked by odds that are logged before the outcome is known and <a href="/calibration">graded in public</a>.</p>
<p class="note">Live, updated every ${REFRESH_S} s. <span data-live="candidates"><b>${count(candidates)}</b> candidates.</span>
For programs: <a href="/v1/radar">/v1/radar</a>.</p>
</section>
<section class="list" aria-labelledby="rug">
<h2 id="rug">Odds of a rug within 300 s</h2>
<div data-live="rug"><p class="note">Launches younger than ${span(RUG_WINDOW_S)}. Ranked by ${rug.by}.</p>
${sidePart(rug.rows, 'rug_within_300s', 'No launch is that young at the moment.')}</div>
</section>
<section class="list" aria-labelledby="graduation">
<h2 id="graduation">Odds of graduation</h2>
<div data-live="graduation"><p class="note">Open curves up to 15 min old with at least 5 buys. Ranked by ${graduation.by}.</p>
${sidePart(graduation.rows, 'true_graduation', 'No open curve of that age has 5 buys at the moment.')}</div>
</section>
<section class="buy" aria-labelledby="buy">
<h2 id="buy">Buy a check</h2>
${buyingPart(service, rug.rows[0] === undefined ? undefined : `/v1/check/mint/${rug.rows[0].mint}`)}
</section>`

type Head = 'rug_within_300s' | 'true_graduation'

const sidePart = (rows: readonly RadarRow[], head: Head, whenEmpty: string): Html =>
  rows.length === 0
    ? html`<p class="empty">${whenEmpty}</p>`
    : html`<table role="table" class="launches radar">
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Launch</th>
<th role="columnheader" scope="col">Odds</th><th role="columnheader" scope="col" class="n">Age</th>
<th role="columnheader" scope="col" class="n">SOL</th><th role="columnheader" scope="col" class="n">Buys</th>
<th role="columnheader" scope="col" class="n">Top 5 hold</th><th role="columnheader" scope="col">Flags</th></tr></thead>
<tbody role="rowgroup">${rows.slice(0, ROWS).map((row) => rowPart(row, head))}</tbody>
</table>`

const rowPart = (row: RadarRow, head: Head): Html => html`<tr role="row">
<th role="rowheader" scope="row"><a class="name" href="/token/${row.mint}"><bdi>${row.name === '' ? 'no name' : row.name}</bdi>
<bdi class="symbol">${row.symbol}</bdi></a></th>
<td role="cell" class="curve"><div class="gauge">${oddsPart(row, head)}</div></td>
<td role="cell" class="n age">${span(row.age_s)}</td>
<td role="cell" class="n rs" data-label="SOL">${sol(row.rs_sol)}</td>
<td role="cell" class="n buyers" data-label="buys">${count(row.n_buys)}</td>
<td role="cell" class="n top5" data-label="top 5">${percent(row.top5_share)}</td>
<td role="cell" class="seen">${row.flags.length === 0 ? UNKNOWN : html`<ul class="chips">${row.flags.map((flag) => html`<li class="flag">${words(flag)}</li>`)}</ul>`}</td>
</tr>`

const BAR = 200
const GRAVE: Readonly<Record<Head, boolean>> = { rug_within_300s: true, true_graduation: false }

/** The tooltip of the dash states why there are no odds. */
const oddsPart = ({ probabilities }: RadarRow, head: Head): Html => {
  const odds = probabilities[head]
  if (odds === null)
    return html`<span class="bar none" aria-hidden="true"></span><span class="sol" title="${probabilities[`${head}_reason`] ?? ''}">${UNKNOWN}</span>`
  return html`<svg class="bar${GRAVE[head] ? ' grave' : ''}" viewBox="0 0 ${BAR} 10" preserveAspectRatio="none" aria-hidden="true">
<path class="rail" d="M0 9.5H${BAR}"/><rect class="now" width="${Math.round(odds * BAR)}" height="10"/></svg><span class="sol">${percent(odds)}</span>`
}
