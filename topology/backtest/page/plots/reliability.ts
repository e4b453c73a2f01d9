// Plots observed precision against that of random flags: for each setting, and for one setting on each day.
import * as Plot from '@observablehq/plot'
import type { Graded } from '../../report-types.ts'
import { html, lineOf } from '../html.ts'
import { percent, some } from '../words.ts'
import { type Bar, barOf, CHANCE, type Drawing, GROUND, isNumber, SEEN, SHARE_DOMAIN, shareAxisX, shareAxisY } from './canvas.ts'

/** With more points than this, points overlap: hollow ones are then drawn small and without intervals. */
const CROWDED_ABOVE = 60

interface Point {
  readonly name: string
  readonly isFull: boolean
  /** Precision by chance. */
  readonly expected: number
  readonly observed: Bar
}

const pointOf = (name: string, isFull: boolean, expected: number | null, precision: Graded['precision']): readonly Point[] => {
  const observed = barOf(precision)
  return observed === undefined || !isNumber(expected) ? [] : [{ name, isFull, expected, observed }]
}

const titleOf = ({ name, expected, observed }: Point): string =>
  lineOf(`${name}: ${percent(observed.value)} where chance gives ${percent(expected)}`, 200)
const above = (points: readonly Point[]): number => points.filter(({ expected, observed }) => observed.low > expected).length

const marksOf = (points: readonly Point[], labels: readonly [x: string, y: string], r: number): Plot.Markish[] => {
  const at = { x: (p: Point) => p.expected, y: (p: Point) => p.observed.value, r, title: titleOf }
  const [x, y] = labels
  const isCrowded = points.length > CROWDED_ABOVE
  const barred = isCrowded ? points.filter(({ isFull }) => isFull) : points
  return [
    ...shareAxisX(x),
    ...shareAxisY(y),
    Plot.line([0, 1], { x: (d: number) => d, y: (d: number) => d, stroke: CHANCE, strokeWidth: 1.5, strokeDasharray: '6 4' }),
    Plot.ruleX(barred, {
      ...{ x: at.x, y1: (p: Point) => p.observed.low, y2: (p: Point) => p.observed.high },
      ...{ stroke: SEEN, strokeOpacity: 0.5 },
    }),
    Plot.dot(
      points.filter(({ isFull }) => !isFull),
      { ...at, r: isCrowded ? 2 : r, fill: GROUND, stroke: SEEN, strokeWidth: isCrowded ? 0.75 : 1.25 },
    ),
    Plot.dot(
      points.filter(({ isFull }) => isFull),
      { ...at, r: r + 0.5, fill: SEEN, stroke: GROUND },
    ),
  ]
}

const scales = { x: { domain: SHARE_DOMAIN }, y: { domain: SHARE_DOMAIN } }

export const reliability = (settings: readonly Graded[]): Drawing | undefined => {
  const points = settings.flatMap(({ name, isDefault, placebo, precision }) => pointOf(name, isDefault, placebo.precision, precision))
  const titles = points.slice(0, 8).map(titleOf).join('; ')
  if (points.length === 0) return undefined
  return {
    title: 'Observed precision against chance',
    text: `${some(points.length, 'setting')}; ${above(points)} with the whole interval above chance. ${titles}.`,
    note: html`<span class="mark seen"></span> at the default thresholds, <span class="mark open"></span> at others;
<span class="mark dashed"></span> precision of random launches, flagged as often at the same count of events.
A setting on the dashed line is no better than chance.`,
    draw: (width) => ({
      ...{ marginLeft: 44, marginRight: 20, marginTop: 24, marginBottom: 44, height: Math.round(Math.min(width * 0.82, 440)) },
      ...scales,
      marks: marksOf(points, ['precision of the placebo', 'observed precision'], 4),
    }),
  }
}

/** The days of a setting, at least two. There is no placebo for a day: the day's base rate is used as chance. */
export const reliabilityByDay = ({ name, slices }: Graded): Drawing | undefined => {
  const days = slices.filter(({ by }) => by === 'day')
  const points = days.flatMap((slice) => pointOf(slice.name, true, slice.baseRate.value, slice.precision))
  if (points.length < 2) return undefined
  return {
    title: 'Each day against its base rate',
    text: `Precision of ${name} on ${some(points.length, 'day')} against each day's base rate; on ${above(points)} the whole interval is above it.`,
    draw: () => ({
      ...{ marginLeft: 44, marginRight: 12, marginTop: 24, marginBottom: 40, height: 220 },
      ...scales,
      marks: marksOf(points, ['base rate of the day', 'precision'], 3.5),
    }),
  }
}
