// The table of all settings. In each row a strip from 0 to 100 % shows the precision with its interval, and the placebo's precision.
import type { Graded, Profit, Share } from '../report-types.ts'
import { type Html, html } from './html.ts'
import { listed } from './picks.ts'
import { chance, change, count, interval, percent, type Quote, rate, span, UNKNOWN } from './words.ts'

/** Maximum number of rows; further settings are in the data only. */
export const SETTINGS_MAX = 1_000

const shareCell = (share: Share): Html => {
  const between = interval(share)
  return html`<td class="n">${percent(share.value)} <small>${between === '' ? UNKNOWN : between}</small></td>`
}

const at = (share: number): string => `${(Math.min(1, Math.max(0, share)) * 100).toFixed(2)}%`

const stripCell = ({ precision: { value, low, high }, placebo }: Graded): Html => {
  const expected = placebo.precision
  const parts = [
    low === null || high === null ? '' : html`<i class="between" style="left:${at(low)};width:${at(high - low)}"></i>`,
    expected === null ? '' : html`<i class="expected" style="left:${at(expected)}"></i>`,
    value === null ? '' : html`<i class="observed" style="left:${at(value)}"></i>`,
  ]
  return html`<td aria-hidden="true"><span class="strip">${parts}</span></td>`
}

const profitCell = (profit: Profit | null, quote: Quote): Html => {
  if (profit === null || profit.meanAllLamports === null || profit.meanKeptLamports === null) return html`<td class="n">${UNKNOWN}</td>`
  const { meanAllLamports, meanKeptLamports } = profit
  return html`<td class="n">${change(meanKeptLamports - meanAllLamports, quote)}
<small>${change(meanAllLamports, quote)} to ${change(meanKeptLamports, quote)}</small></td>`
}

const rowOf = (graded: Graded, quote: Quote): Html => {
  const { name, detector, isDefault, precision, recall, baseRate, placebo, leadP50S, leadP90S, flagsADay, killedWinners, profit } = graded
  return html`<tr${isDefault ? html` class="default"` : ''}><th scope="row"><bdi>${name}</bdi></th>
<td>${detector.tier}${isDefault ? html` <small>default</small>` : ''}</td>
<td class="n">${percent(precision.value)} <small>${precision.of === 0 ? 'none judged' : `${interval(precision)} of ${count(precision.of)}`}</small></td>${stripCell(graded)}
${shareCell(recall)}<td class="n">${percent(baseRate.value)}</td><td class="n">${percent(placebo.precision)}</td>
<td class="n">${chance(placebo.q)}</td><td class="n">${span(leadP50S)}</td><td class="n">${span(leadP90S)}</td>
<td class="n">${rate(flagsADay)}</td><td class="n">${count(killedWinners)}</td>${profitCell(profit, quote)}</tr>`
}

const HEADS: readonly (readonly [title: string, unit: string, isNumber: boolean])[] = [
  ['Setting', '', false],
  ['Tier', '', false],
  ['Precision', '95 %, of judged', true],
  ['Recall', '95 %', true],
  ['Base rate', 'of launches', true],
  ['Placebo', 'precision', true],
  ['q', 'by chance', true],
  ['Lead p50', 'to the rug', true],
  ['Lead p90', 'to the rug', true],
  ['Flags', 'a day', true],
  ['Killed', 'winners', true],
]

const headOf = ([title, unit, isNumber]: (typeof HEADS)[number]): Html =>
  html`<th scope="col"${isNumber ? html` class="n"` : ''}>${title}${unit === '' ? '' : html` <small>${unit}</small>`}</th>`

/** The basis of the profit column; all settings share it. */
const profitWords = (settings: readonly Graded[], quote: Quote): string => {
  const profit = settings.map((graded) => graded.profit).find((known) => known !== null)
  if (profit === undefined || profit === null) return 'Profit is unknown: launches were not bought.'
  const size = `${change(profit.sizeLamports, quote).replace('+', '')} ${quote.symbol}`
  return `Profit is how much the mean result of a launch changes when flagged launches are left out. Each launch is bought for ${size} at an age of ${span(profit.ageS)} and sold ${span(profit.holdS)} later, with ${profit.feeBps} basis points of fees each way.`
}

export const settingsPart = (settings: readonly Graded[], quote: Quote): Html => {
  const shown = listed(settings).slice(0, SETTINGS_MAX)
  const [name, tier, precision, ...others] = HEADS.map(headOf)
  const heads = [name, tier, precision, html`<td></td>`, ...others].filter((head) => head !== undefined)
  const more =
    settings.length > shown.length ? html` The first ${count(shown.length)} of ${count(settings.length)}; all are in the data.` : ''
  if (shown.length === 0)
    return html`<section aria-labelledby="settings"><h2 id="settings">Settings</h2><p class="empty">None.</p></section>`
  return html`<section aria-labelledby="settings"><h2 id="settings">Settings</h2>
<p class="note"><span class="mark seen"></span> observed precision with its interval, <span class="mark tick"></span> the placebo's.
${profitWords(settings, quote)}${more}</p>
<div class="box tall" role="region" aria-label="Table of settings" tabindex="0"><table class="settings">
<caption>Every setting, judged over the whole range</caption>
<thead><tr>${heads}<th scope="col" class="n">Profit <small>${quote.symbol} a launch</small></th></tr></thead>
<tbody>${shown.map((graded) => rowOf(graded, quote))}</tbody></table></div></section>`
}
