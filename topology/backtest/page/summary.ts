// The top of the page: what was tested, over what range, and the result in one sentence.
import type { Graded, Report, Summary } from '../report-types.ts'
import { type Html, html, NOTHING } from './html.ts'
import { count, percent, some, span, time } from './words.ts'

/** A q below this counts as better than chance. */
const Q_MAX = 0.05
/** From this probability on overfitting is more likely than not. */
const OVERFITTED = 0.5
const ROWS_MAX = 50

export const headerPart = ({ from, to, program }: Summary): Html => html`<header>
<p class="brand">mintfold <span class="badge">backtest</span></p>
<p class="range">${time(from)} to ${time(to)} UTC, ${span(to - from)}</p>
<p class="about">${program}</p>
</header>`

export const partialPart = ({ isPartial, to }: Summary): Html =>
  isPartial
    ? html`<p class="banner"><b>PARTIAL</b> This run was stopped before the end of its input. All figures cover the input up to
${time(to)} UTC; a complete run can give others.</p>`
    : NOTHING

/** True if its flags hit more often than chance. False if the detector used later events, because its hits then mean nothing. */
const isBetter = ({ placebo, hits, lookAhead }: Graded): boolean =>
  placebo.q !== null && placebo.q < Q_MAX && hits > placebo.expectedHits && (lookAhead?.flips ?? 0) === 0

/** The result in one sentence. It counts only default settings, if there are any: the best of many settings looks good by chance. */
export const verdictPart = ({ settings }: Report): Html => {
  if (settings.length === 0) return html`<p class="reading">Nothing was graded: there is no setting in this report.</p>`
  const defaults = settings.filter(({ isDefault }) => isDefault)
  const asked = defaults.length > 0 ? defaults : settings
  const better = asked.filter(isBetter).length
  const unjudged = asked.filter(({ placebo }) => placebo.q === null).length
  const what = some(asked.length, defaults.length > 0 ? 'detector' : 'setting')
  const where = defaults.length > 0 ? 'At default thresholds, ' : ''
  return html`<p class="reading">${where}<b>${count(better)} of ${what}</b> ${better === 1 ? 'is' : 'are'} right more often than random flags
(q below ${String(Q_MAX)}).${unjudged > 0 ? html` ${count(unjudged)} had no flag that could be judged.` : ''}</p>`
}

const fact = (name: string, value: Html | string, note: Html | string = ''): Html =>
  html`<div><dt>${name}</dt><dd>${value}${note === '' ? '' : html` <small>${note}</small>`}</dd></div>`

export const factsPart = (summary: Summary): Html => html`<dl class="facts">
${fact('Settings tried', html`<b>${count(summary.tried)}</b>`, 'over all detectors')}
${fact('Launches', html`<b>${count(summary.launches)}</b>`, `${count(summary.unresolved)} without an outcome in the range: not judged`)}
${fact('Events', count(summary.events), `read in ${span(summary.tookS)}`)}
${fact('Delay', span(summary.delayS), 'from a flag until a user can act on it')}
${fact('Purge, embargo', `${span(summary.purgeS)}, ${span(summary.embargoS)}`, 'left out between training and test')}
${fact('Seed', String(summary.seed), html`chain ${summary.chain}`)}
</dl>
${summary.input.length === 0 ? '' : html`<p class="input">Read: ${summary.input.slice(0, ROWS_MAX).map((input) => html`<code>${input}</code> `)}</p>`}`

type Overfitting = Summary['overfitting'][number]

const knownRow = ({ detector, probability, blocks }: Overfitting): Html => {
  const isLikely = probability !== null && probability >= OVERFITTED
  return html`<tr><th scope="row">${detector}</th><td class="n${isLikely ? ' caution' : ''}">${percent(probability)}</td>
<td class="n">${count(blocks)}</td><td>${isLikely ? 'take the default' : ''}</td></tr>`
}

/** Groups detectors with the same reason. */
const unknownPart = (unknown: readonly Overfitting[]): readonly Html[] => {
  const reasons = new Map<string, string[]>()
  for (const { detector, reason } of unknown) {
    const known = reason ?? 'the reason is not recorded'
    reasons.set(known, [...(reasons.get(known) ?? []), detector])
  }
  return [...reasons].map(([reason, detectors]) => html`<p class="note">Unknown for ${detectors.join(', ')}: ${reason}.</p>`)
}

/** How likely it is that the best setting is best by luck. */
export const overfittingPart = ({ overfitting, tried }: Summary): Html => {
  const rows = overfitting.slice(0, ROWS_MAX)
  const known = rows.filter(({ probability }) => probability !== null)
  const unknown = rows.filter(({ probability }) => probability === null)
  const heads = html`<th scope="col">Detector</th><th scope="col" class="n">Probability</th><th scope="col" class="n">Blocks</th>
<th scope="col">Note</th>`
  const table = html`<div class="box" role="region" aria-label="Probability of backtest overfitting" tabindex="0"><table class="narrow">
<caption>Probability of backtest overfitting by detector</caption><thead><tr>${heads}</tr></thead>
<tbody>${known.map(knownRow)}</tbody></table></div>`
  const none = html`<p class="empty">No detector had several settings: nothing was chosen, so nothing can be overfitted.</p>`
  return html`<section class="odds" aria-labelledby="overfitting"><h2 id="overfitting">Probability of backtest overfitting</h2>
<p class="note">${some(tried, 'setting')} tried. The more are tried, the better the best of them looks by luck alone. This is the share of splits
in which the best setting of one half of the data is below the median in the other half.</p>
${rows.length === 0 ? none : ''}${known.length === 0 ? '' : table}${unknownPart(unknown)}</section>`
}
