// The plot of the last hour: each launch is one stroke from its curve's peak SOL down to its current SOL.

import { DELAY_S } from '../../answers/delay.ts'
import { count, some, span } from '../figures.ts'
import { GRAVE_SHARE } from '../flags.ts'
import { type Html, html } from '../html.ts'
import { type Counted, FIELD_S, type Kind, type Stroke } from './lines.ts'

/** The browser stretches the drawing; strokes keep their width. */
const WIDTH = 1_000
const HEIGHT = 300
/** Limits of the logarithmic SOL scale. */
const LOW_SOL = 0.1
const HIGH_SOL = 100
const DECADES = Math.log10(HIGH_SOL / LOW_SOL)

const yOf = (sol: number): number =>
  Math.round(HEIGHT * (1 - Math.log10(Math.min(HIGH_SOL, Math.max(LOW_SOL, sol)) / LOW_SOL) / DECADES) * 10) / 10

const KINDS: Readonly<Record<Kind, string>> = {
  plain: 'without a flag',
  flagged: 'with a lesser flag',
  grave: 'with a grave flag',
  graduated: 'graduated',
}
const kinds = Object.keys(KINDS) as Kind[]

/** The hour in one sentence; each launch counts once. */
export const readingPart = ({ launches, byKind, reachS }: Counted): Html => {
  const time = reachS === FIELD_S ? 'hour' : span(reachS)
  const bold = (kind: Kind): Html => html`<b class="${kind}">${count(byKind[kind])}</b>`
  return html`<p class="reading">Launched in the last ${time}: <b>${count(launches)}</b>. ${bold('grave')} have a grave flag,
${bold('flagged')} a lesser one, ${bold('graduated')} graduated.</p>`
}

export const fieldPart = (strokes: readonly Stroke[], counted: Counted): Html => {
  const spanS = Math.max(60, counted.reachS - DELAY_S)
  const xOf = (ageS: number): number => Math.round((6 + (WIDTH - 12) * (1 - (ageS - DELAY_S) / spanS)) * 10) / 10
  const paths = kinds.map((kind) => {
    const of = strokes.filter((stroke) => stroke.kind === kind)
    const stems = of.map(({ ageS, peakSol, nowSol }) => `M${xOf(ageS)} ${yOf(peakSol)}V${yOf(nowSol)}`).join('')
    const dots = of.map(({ ageS, nowSol }) => `M${xOf(ageS)} ${yOf(nowSol)}h0`).join('')
    return html`<path class="stem ${kind}" d="${stems}"/><path class="dot ${kind}" d="${dots}"/>`
  })
  return html`<figure class="field">
<div class="plot-of-hour">
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${strokes.length} launches by time and SOL in the curve">
<path class="rule" d="M0 ${yOf(1)}H${WIDTH}M0 ${yOf(10)}H${WIDTH}"/><path class="rule goal" d="M0 ${yOf(84)}H${WIDTH}"/>${paths}</svg>
<span class="y y84">84 SOL: graduated</span><span class="y y10">10</span><span class="y y1">1</span>
</div>
<div class="x"><span>launched ${span(DELAY_S + spanS)} ago</span><span>${span(DELAY_S + spanS / 2)}</span>
<span>${span(DELAY_S)} ago</span></div>
<figcaption><p>Each stroke is one launch: from the peak SOL of its curve down to the dot, its SOL now. Log scale. Of the
${count(strokes.length)} drawn:</p>
<ul class="key">${kinds.map((kind) => html`<li class="${kind}">${count(strokes.filter((stroke) => stroke.kind === kind).length)} ${KINDS[kind]}</li>`)}</ul>
<p class="sums">${sums(strokes.length, counted)}</p></figcaption>
</figure>`
}

/** Explains how the drawn launches, the counts and the flags relate. */
const sums = (drawn: number, { launches, withFlag, flags }: Counted): Html => {
  const rest = launches - drawn
  const undrawn =
    rest === 0
      ? ''
      : html` The other ${count(rest)} are not drawn yet: younger than ${span(DELAY_S)}, changed in the last ${span(DELAY_S)}, or not paired with SOL.`
  return html`${count(drawn)} of ${count(launches)} launches are drawn.${undrawn} ${some(flags, 'flag')} fired on ${count(withFlag)} of them: a
launch can have several. Grave: at least ${GRAVE_SHARE * 100} % of the supply was sold, or the curve or pool lost
80 % of its SOL. Graduated: seen at 84 SOL, flag or not.`
}
