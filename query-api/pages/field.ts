// The field: every launch of about an hour as one stroke, from what its curve holds now up to the most it ever held.

import { DELAY_S } from '../answers/delay.ts'
import { count, span } from './figures.ts'
import { type Html, html } from './html.ts'
import { FIELD_S, type Stroke } from './lines.ts'

/** The drawing is stretched to its place; strokes keep their width. */
const WIDTH = 1_000
const HEIGHT = 300
/** The scale of SOL is logarithmic between these. */
const LOW_SOL = 0.1
const HIGH_SOL = 100
const DECADES = Math.log10(HIGH_SOL / LOW_SOL)

const yOf = (sol: number): number =>
  Math.round(HEIGHT * (1 - Math.log10(Math.min(HIGH_SOL, Math.max(LOW_SOL, sol)) / LOW_SOL) / DECADES) * 10) / 10

const kinds = ['plain', 'flagged', 'graduated'] as const

export const fieldPart = (strokes: readonly Stroke[]): Html => {
  const oldestS = Math.max(...strokes.map(({ ageS }) => ageS), DELAY_S + 60)
  const spanS = Math.min(oldestS, DELAY_S + FIELD_S) - DELAY_S
  const shown = strokes.filter(({ ageS }) => ageS <= DELAY_S + spanS)
  const xOf = (ageS: number): number => Math.round((6 + (WIDTH - 12) * (1 - (ageS - DELAY_S) / spanS)) * 10) / 10
  const paths = kinds.map((kind) => {
    const of = shown.filter((stroke) => stroke.kind === kind)
    const stems = of.map(({ ageS, peakSol, nowSol }) => `M${xOf(ageS)} ${yOf(peakSol)}V${yOf(nowSol)}`).join('')
    const dots = of.map(({ ageS, nowSol }) => `M${xOf(ageS)} ${yOf(nowSol)}h0`).join('')
    return html`<path class="stem ${kind}" d="${stems}"/><path class="dot ${kind}" d="${dots}"/>`
  })
  const numberOf = (kind: Stroke['kind']): number => shown.filter((stroke) => stroke.kind === kind).length
  const [plain, flagged, graduated] = [numberOf('plain'), numberOf('flagged'), numberOf('graduated')]
  return html`<figure class="field">
<div class="plot">
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${shown.length} launches by time and SOL in the
curve: ${flagged} with a rug flag, ${graduated} at or above 84 SOL">
<path class="rule" d="M0 ${yOf(1)}H${WIDTH}M0 ${yOf(10)}H${WIDTH}"/><path class="rule goal" d="M0 ${yOf(84)}H${WIDTH}"/>${paths}</svg>
<span class="y y84">84 SOL: graduated</span><span class="y y10">10</span><span class="y y1">1</span>
</div>
<div class="x"><span>launched ${span(DELAY_S + spanS)} ago</span><span>${span(DELAY_S + spanS / 2)}</span>
<span>${span(DELAY_S)} ago</span></div>
<figcaption>Each stroke is one launch: it falls from the most SOL its curve ever held to the dot, what it holds now. Log scale.
<ul class="key"><li class="plain">${count(plain)} without a flag</li><li class="flagged">${count(flagged)} with a rug flag</li>
<li class="graduated">${count(graduated)} at 84 SOL</li></ul></figcaption>
</figure>`
}
