// The reliability diagram: for each bin of logged odds, the share that came true.
import * as Plot from '@observablehq/plot'
import type { HeadData } from '../../answer-schemas/odds/calibration.ts'
import { count, percent } from '../figures.ts'
import { type Html, html } from '../html.ts'
import { type Drawing, figurePart } from '../record/figure.ts'

type Bin = NonNullable<HeadData['live']>['bins'][number]

const SHARES = [0, 0.25, 0.5, 0.75, 1]
const asPercent = (share: number): string => `${Math.round(share * 100)} %`

/** @param id of the head, unique within the page. */
export const reliabilityPart = (id: string, bins: readonly Bin[]): Promise<Html> => {
  const texts = bins.map(({ mean_p, observed, n }) => `${percent(mean_p)} predicted, ${percent(observed)} observed, of ${count(n)}`)
  const drawing: Drawing = {
    id: `reliability-${id}`,
    title: 'Predicted and observed',
    text: `By bins of the logged odds: ${texts.join('; ')}.`,
    note: html`<p class="note">Dots: bins, with 95 % intervals. On the dashed line the odds match the outcomes; below it they are too high.</p>`,
    draw: () => ({
      ...{ marginLeft: 52, marginRight: 20, marginTop: 24, marginBottom: 40, height: 320 },
      ...{ x: { domain: [0, 1] }, y: { domain: [0, 1] } },
      marks: [
        Plot.gridY(SHARES, { stroke: 'var(--grid)', strokeOpacity: 1 }),
        Plot.gridX(SHARES, { stroke: 'var(--grid)', strokeOpacity: 1 }),
        Plot.axisX(SHARES, {
          tickSize: 0,
          tickFormat: asPercent,
          label: 'predicted',
          labelArrow: 'none',
          labelAnchor: 'center',
          labelOffset: 34,
        }),
        Plot.axisY(SHARES, { tickSize: 0, tickFormat: asPercent, label: 'observed', labelArrow: 'none' }),
        Plot.line([0, 1], { x: (d: number) => d, y: (d: number) => d, stroke: 'var(--stroke)', strokeDasharray: '5 4' }),
        Plot.ruleX(bins, { x: 'mean_p', y1: 'low', y2: 'high', stroke: 'var(--series)', strokeWidth: 1.5 }),
        Plot.dot(bins, { x: 'mean_p', y: 'observed', r: 4.5, fill: 'var(--series)', stroke: 'var(--panel)' }),
      ],
    }),
  }
  return figurePart(drawing, tablePart(bins))
}

const tablePart = (bins: readonly Bin[]): Html => html`<details><summary>The drawing as a table</summary><table class="rows">
<thead><tr><th scope="col">Odds</th><th scope="col" class="n">Values</th><th scope="col" class="n">Predicted</th><th scope="col" class="n">Observed</th>
<th scope="col" class="n">95 %</th></tr></thead>
<tbody>${bins.map(
  ({
    from,
    to,
    n,
    mean_p,
    observed,
    low,
    high,
  }) => html`<tr><th scope="row">${asPercent(from)} to ${asPercent(to)}</th><td class="n">${count(n)}</td>
<td class="n">${percent(mean_p)}</td><td class="n">${percent(observed)}</td><td class="n">${percent(low)} to ${percent(high)}</td></tr>`,
)}</tbody></table></details>`
