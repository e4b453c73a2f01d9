// The plots: all settings together, some individually, and the choice of settings tested on later data.
import type { Graded, Summary, TimeSlice } from '../report-types.ts'
import { type Html, html, NOTHING } from './html.ts'
import { byDetector } from './picks.ts'
import type { Drawing, PlotFigures } from './plots/canvas.ts'
import { leadTimes } from './plots/leads.ts'
import { precisionRecall, precisionRecallOf } from './plots/precision-recall.ts'
import { reliability, reliabilityByDay } from './plots/reliability.ts'
import { byDay, byKind } from './plots/slices.ts'
import { walkForward } from './plots/walk-forward.ts'
import { count, interval, percent, score, span, time } from './words.ts'

const SLICES_MAX = 400
const DETECTORS_MAX = 12
const WINDOWS_MAX = 200

const present = (drawings: readonly (Drawing | undefined)[]): readonly Drawing[] => drawings.filter((drawing) => drawing !== undefined)

export const overviewPart = (settings: readonly Graded[], figures: PlotFigures): Html => {
  const large = present([precisionRecall(settings), reliability(settings)])
  if (large.length === 0)
    return html`<section aria-labelledby="overview"><h2 id="overview">How good, and against what</h2>
<p class="empty">No setting has judged flags and rugs: there is nothing to draw.</p></section>`
  const detectors = [...byDetector(settings)]
  const hasSeveral = detectors.length > 1 && detectors.some(([, of]) => of.length > 1)
  const each = hasSeveral ? present(detectors.slice(0, DETECTORS_MAX).map(([id]) => precisionRecallOf(id, settings))) : []
  return html`<section aria-labelledby="overview"><h2 id="overview">How good, and against what</h2>
<div class="pair">${large.map(figures.large)}</div>
${each.length === 0 ? '' : html`<h3>Precision and recall by detector</h3><div class="grid">${each.map(figures.small)}</div>`}</section>`
}

const sliceRow = ({ by, name, flagged, judged, precision, recall, baseRate }: TimeSlice): Html =>
  html`<tr><th scope="row">${by} <bdi>${name}</bdi></th><td class="n">${count(flagged)}</td><td class="n">${count(judged)}</td>
<td class="n">${percent(precision.value)} <small>${interval(precision)}</small></td>
<td class="n">${percent(recall.value)} <small>${interval(recall)}</small></td><td class="n">${percent(baseRate.value)}</td></tr>`

const slicesTable = ({ name, slices }: Graded): Html => {
  if (slices.length === 0) return NOTHING
  const heads = ['Flagged', 'Judged', 'Precision', 'Recall', 'Base rate']
  return html`<details><summary>The parts as a table</summary>
<div class="box tall" role="region" aria-label="Parts of ${name}" tabindex="0"><table><caption>${name} by day, regime and kind of creator</caption>
<thead><tr><th scope="col">Part</th>${heads.map((head) => html`<th scope="col" class="n">${head}</th>`)}</tr></thead>
<tbody>${slices.slice(0, SLICES_MAX).map(sliceRow)}</tbody></table></div></details>`
}

const oneByOne = (graded: Graded, figures: PlotFigures): Html => {
  const { name, detector, isDefault, precision, leadP50S, placebo } = graded
  const drawn = present([leadTimes(graded), reliabilityByDay(graded), byDay(graded)]).map(figures.small)
  const kinds = present([byKind(graded, 'regime'), byKind(graded, 'creator')]).map(figures.small)
  return html`<article><h3><bdi>${name}</bdi> <small>${detector.tier}, version ${detector.version}${isDefault ? ', default' : ''}</small></h3>
<p class="note">Fires when: ${detector.firesWhen}. Right in ${percent(precision.value)} of ${count(precision.of)} judged flags, where
chance gives ${percent(placebo.precision)}${leadP50S === null ? '' : `; half of the hits come ${span(leadP50S)} or more before the rug`}.</p>
<div class="grid">${drawn}${kinds.length === 0 ? '' : html`<div class="stack">${kinds}</div>`}</div>
${drawn.length + kinds.length === 0 ? html`<p class="empty">Nothing to draw: no hits and no parts.</p>` : slicesTable(graded)}</article>`
}

export const eachPart = (drawn: readonly Graded[], of: number, figures: PlotFigures): Html => {
  if (drawn.length === 0)
    return html`<section aria-labelledby="each"><h2 id="each">Setting by setting</h2><p class="empty">No flag could be judged.</p></section>`
  const which =
    of > drawn.length
      ? html` ${count(drawn.length)} of ${count(of)} settings: the defaults with judged flags, and the best of each detector.`
      : ''
  return html`<section aria-labelledby="each"><h2 id="each">Setting by setting</h2>
<p class="note"><span class="mark seen"></span> observed precision with its 95 % interval, <span class="mark line"></span> base rate of the same
launches. Wide bars are few flags, not bad ones.${which}</p>
${drawn.map((graded) => oneByOne(graded, figures))}</section>`
}

const windowRow = ({
  detector,
  trainFrom,
  trainTo,
  testFrom,
  testTo,
  chosen,
  trainScore,
  testScore,
}: Summary['walkForward'][number]): Html =>
  html`<tr><th scope="row">${detector}</th><td>${time(trainFrom)} to ${time(trainTo)}</td><td>${time(testFrom)} to ${time(testTo)}</td>
<td>${chosen ?? 'none found anything'}</td><td class="n">${score(trainScore)}</td><td class="n">${score(testScore)}</td></tr>`

export const walkForwardPart = ({ walkForward: windows, purgeS, embargoS }: Summary, figures: PlotFigures): Html => {
  const detectors = [...new Set(windows.map(({ detector }) => detector))].slice(0, DETECTORS_MAX)
  const of = (id: string) => windows.filter(({ detector }) => detector === id)
  const drawn = present(detectors.map((id) => walkForward(id, of(id))))
  if (windows.length === 0)
    return html`<section aria-labelledby="walk"><h2 id="walk">Chosen before, tested after</h2>
<p class="empty">No detector had several settings and a long enough range: nothing was chosen.</p></section>`
  return html`<section aria-labelledby="walk"><h2 id="walk">Chosen before, tested after</h2>
<p class="note"><span class="mark hollow"></span> score of the setting that did best before the window, <span class="mark seen"></span> what it scored in the
window itself. Score: recall minus the share of the launches that did not rug and were flagged; 0 means no information. Training
ends ${span(purgeS)} before each window${embargoS > 0 ? ` and begins again ${span(embargoS)} after it` : ''}.</p>
<div class="grid">${drawn.map(figures.small)}</div>
<details><summary>The windows as a table</summary><div class="box tall" role="region" aria-label="Walk-forward windows" tabindex="0"><table>
<caption>Walk-forward windows, UTC</caption><thead><tr><th scope="col">Detector</th><th scope="col">Training</th><th scope="col">Test</th>
<th scope="col">Chosen</th><th scope="col" class="n">Score before</th><th scope="col" class="n">Score in it</th></tr></thead>
<tbody>${windows.slice(0, WINDOWS_MAX).map(windowRow)}</tbody></table></div></details></section>`
}
