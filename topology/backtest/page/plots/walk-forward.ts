// Plots two scores of each test window: of the setting that was best in the training window, its score there (hollow) and in the test
// window (filled).
import * as Plot from '@observablehq/plot'
import type { Summary } from '../../report-types.ts'
import { html, lineOf } from '../html.ts'
import { score, some, when } from '../words.ts'
import { CHANCE, type Drawing, GROUND, isNumber, SEEN } from './canvas.ts'

type Window = Summary['walkForward'][number]

const RULE = 'var(--rule)'
/** Maximum number of drawn windows: the newest are drawn. */
const WINDOWS_MAX = 60

const titleOf = ({ chosen, trainScore, testScore, testFrom }: Window): string =>
  lineOf(`${when(testFrom)}: ${chosen ?? 'none chosen'}, before ${score(trainScore)}, in the window ${score(testScore)}`, 200)

const middle = ({ testFrom, testTo }: Window): Date => new Date(((testFrom + testTo) / 2) * 1_000)

export const walkForward = (detector: string, windows: readonly Window[]): Drawing | undefined => {
  const drawn = windows.filter(({ trainScore, testScore }) => isNumber(trainScore) || isNumber(testScore)).slice(-WINDOWS_MAX)
  if (drawn.length === 0) return undefined
  const scores = drawn.flatMap(({ trainScore, testScore }) => [trainScore, testScore]).filter(isNumber)
  const notLower = drawn.filter(({ trainScore, testScore }) => isNumber(trainScore) && isNumber(testScore) && testScore >= trainScore)
  const from = Math.min(...drawn.map(({ testFrom }) => testFrom)) * 1_000
  const to = Math.max(...drawn.map(({ testTo }) => testTo)) * 1_000
  return {
    title: lineOf(detector, 60),
    text: `${some(drawn.length, 'window')} of ${detector}; in ${notLower.length} the score is no lower than before. ${drawn.slice(-12).map(titleOf).join('; ')}.`,
    note: html`${notLower.length} of ${some(drawn.length, 'window')} no lower than before`,
    draw: () => ({
      ...{ marginLeft: 44, marginRight: 16, marginTop: 24, marginBottom: 30, height: 220 },
      ...{ x: { type: 'utc', domain: [from, to] }, y: { domain: [Math.min(0, ...scores), Math.max(0.5, ...scores)] } },
      marks: [
        Plot.gridY({ ticks: 4, stroke: RULE, strokeOpacity: 1 }),
        Plot.axisY({ ticks: 4, tickSize: 0, label: 'score', labelArrow: 'none' }),
        Plot.axisX({ ticks: 4, tickSize: 4, label: null }),
        Plot.ruleY([0], { stroke: 'currentColor' }),
        Plot.ruleX(
          drawn.filter(({ trainScore, testScore }) => isNumber(trainScore) && isNumber(testScore)),
          { x: middle, y1: 'trainScore', y2: 'testScore', stroke: CHANCE, strokeWidth: 1.5 },
        ),
        Plot.dot(drawn, { x: middle, y: 'trainScore', r: 4, fill: GROUND, stroke: CHANCE, strokeWidth: 1.5, title: titleOf }),
        Plot.dot(drawn, { x: middle, y: 'testScore', r: 4, fill: SEEN, title: titleOf }),
      ],
    }),
  }
}
