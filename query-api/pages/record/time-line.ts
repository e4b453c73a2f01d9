// The `Over time` section of a record: drawings, flags with their evidence, and a table.
import type { QueryResult } from '../../../topology/ports/history.ts'
import { DELAY_S } from '../../answers/delay.ts'
import { span, UNKNOWN, words } from '../figures.ts'
import type { ShownFlag } from '../flags.ts'
import { type Html, html } from '../html.ts'
import { type Drawing, figurePart } from './figure.ts'
import { figure, flowDrawing, priceDrawing, reserveDrawing } from './plots.ts'
import { coarser, type Series, type Step } from './series.ts'

const TABLE_ROWS = 24

/** @param beside another drawing, shown in the row of price and flow. */
export const timeLinePart = async (asked: QueryResult<Series>, flags: readonly ShownFlag[], beside: Html = html``): Promise<Html> => {
  const list = flagsPart(flags)
  if (!asked.ok) return around(html`<p class="empty">Not known: ${asked.reason}.</p>${list}`, beside)
  const series = asked.value
  if (series.steps.length === 0)
    return around(html`<p class="empty">The history has no trade of this launch older than ${span(DELAY_S)}.</p>${list}`, beside)
  const reserve = await part(reserveDrawing(series, flags), list)
  const price = await part(priceDrawing(series))
  const flow = await part(flowDrawing(series))
  return around(html`${reserve}`, html`${price}${flow}${beside}`, tablePart(series))
}

const part = async (drawing: Drawing | undefined, below?: Html): Promise<Html> =>
  drawing === undefined ? (below ?? html``) : figurePart(drawing, below)

const around = (first: Html, row: Html, last: Html = html``): Html => html`<section class="panel line" aria-labelledby="line">
<h2 id="line">Over time</h2>
${first}
<div class="small-drawings">${row}</div>
${last}
</section>`

const flagsPart = (flags: readonly ShownFlag[]): Html =>
  flags.length === 0
    ? html`<p class="note">No flag fired, which is not a safety guarantee.</p>`
    : html`<ol class="flags">${flags.map(
        ({ flag, ageS, measure, isGrave, findingId }) =>
          html`<li class="flag${isGrave ? ' grave' : ''}"><b>${words(flag)}</b> <span class="at">${measure === '' ? '' : `${measure}, `}${span(ageS)} after launch</span>
<a href="/v1/evidence/${encodeURIComponent(findingId)}">evidence<span class="hidden"> of ${words(flag)}</span></a></li>`,
      )}</ol>`

const tablePart = (series: Series): Html => {
  const { steps, stepS, money } = coarser(series, TABLE_ROWS)
  const cell = (value: number | null): Html => html`<td class="n">${value === null ? UNKNOWN : figure(value)}</td>`
  return html`<details><summary>The drawings as a table</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Trades by time"><table class="steps">
<caption>In steps of ${span(stepS)}; steps without a trade are left out</caption>
<thead><tr><th scope="col">After launch</th><th scope="col" class="n">Buys</th><th scope="col" class="n">Sells</th>
<th scope="col" class="n">${money.name} in</th><th scope="col" class="n">${money.name} out</th><th scope="col" class="n">Held</th>
<th scope="col" class="n">Price per million</th></tr></thead>
<tbody>${steps.map((step) => html`<tr><th scope="row">${span(step.ageS)}</th>${figuresOf(step).map(cell)}</tr>`)}</tbody></table></div></details>`
}

const figuresOf = ({ buys, sells, bought, sold, reserve, price }: Step): readonly (number | null)[] => [
  buys,
  sells,
  bought,
  sold,
  reserve,
  price,
]
