// Plots all settings by precision (the share of flags that were right) and recall (the share of rugs that were flagged in time).
import * as Plot from '@observablehq/plot'
import type { Graded } from '../../report-types.ts'
import { html, lineOf } from '../html.ts'
import { percent, some } from '../words.ts'
import { type Bar, barOf, CHANCE, type Drawing, GROUND, isNumber, SEEN, SHARE_DOMAIN, shareAxisX, shareAxisY } from './canvas.ts'
import { type Label, labelsOf } from './labels.ts'

const MARGINS = { marginLeft: 44, marginRight: 20, marginTop: 24, marginBottom: 44 } as const
const NAME_CHARACTERS = 26
/** With more points than this, points overlap: all but the default settings are then drawn small and without intervals. */
const CROWDED_ABOVE = 60

interface Point {
  readonly name: string
  readonly detector: string
  readonly isDefault: boolean
  readonly precision: Bar
  readonly recall: Bar
}

const pointOf = (graded: Graded): readonly Point[] => {
  const [precision, recall] = [barOf(graded.precision), barOf(graded.recall)]
  if (precision === undefined || recall === undefined) return []
  return [{ name: graded.name, detector: graded.detector.id, isDefault: graded.isDefault, precision, recall }]
}

/** Distinct base rates, rounded to a percent, at most three. */
const baseRatesOf = (settings: readonly Graded[]): readonly number[] => {
  const known = settings.map(({ baseRate }) => baseRate.value).filter(isNumber)
  return [...new Map(known.map((value) => [value.toFixed(2), value])).values()].slice(0, 3)
}

const titleOf = ({ name, precision, recall }: Point): string =>
  lineOf(`${name}: precision ${percent(precision.value)}, recall ${percent(recall.value)}`, 200)

const across = { x: (p: Point) => p.recall.value, y: (p: Point) => p.precision.value } as const

const bars = (points: readonly Point[], strokeOpacity: number): readonly Plot.Markish[] => [
  Plot.ruleX(points, { x: across.x, y1: (p: Point) => p.precision.low, y2: (p: Point) => p.precision.high, stroke: SEEN, strokeOpacity }),
  Plot.ruleY(points, { y: across.y, x1: (p: Point) => p.recall.low, x2: (p: Point) => p.recall.high, stroke: SEEN, strokeOpacity }),
]

/** Labels of the default settings, where they fit: the detector's name; the setting's name if the detector has several defaults. */
const names = (points: readonly Point[], width: number, height: number): readonly Plot.Markish[] => {
  const inside = { left: MARGINS.marginLeft, right: width, top: MARGINS.marginTop - 10, bottom: height - MARGINS.marginBottom }
  const [spanX, spanY] = [width - MARGINS.marginRight - inside.left, inside.bottom - MARGINS.marginTop]
  const defaults = points.filter(({ isDefault }) => isDefault)
  const isOnly = ({ detector }: Point): boolean => defaults.filter((other) => other.detector === detector).length === 1
  const placeOf = ({ recall, precision }: Point) => ({ x: inside.left + recall.value * spanX, y: inside.bottom - precision.value * spanY })
  const spots = defaults.map((point) => ({ ...placeOf(point), text: lineOf(isOnly(point) ? point.detector : point.name, NAME_CHARACTERS) }))
  const at = { x: ({ x }: Label) => (x - inside.left) / spanX, y: ({ y }: Label) => (inside.bottom - y) / spanY, text: 'text' }
  const style = { fill: 'currentColor', stroke: GROUND, strokeWidth: 4, clip: false } as const
  const labels = labelsOf(spots, inside, points.map(placeOf))
  return (['start', 'middle', 'end'] as const).flatMap((textAnchor) => {
    const anchored = labels.filter(({ anchor }) => anchor === textAnchor)
    return anchored.length === 0 ? [] : [Plot.text(anchored, { ...at, ...style, textAnchor })]
  })
}

const marksOf = (settings: readonly Graded[], points: readonly Point[]): readonly Plot.Markish[] => {
  const [defaults, others] = [points.filter(({ isDefault }) => isDefault), points.filter(({ isDefault }) => !isDefault)]
  const baseRates = baseRatesOf(settings)
  const isCrowded = points.length > CROWDED_ABOVE
  return [
    ...shareAxisY('precision'),
    ...shareAxisX('recall'),
    Plot.ruleY(baseRates, { stroke: CHANCE, strokeWidth: 1.5, strokeDasharray: '6 4' }),
    ...(isCrowded ? [] : bars(others, 0.35)),
    ...bars(defaults, 0.8),
    Plot.dot(others, { ...across, r: isCrowded ? 2 : 3, fill: GROUND, stroke: SEEN, strokeWidth: isCrowded ? 0.75 : 1.25, title: titleOf }),
    Plot.dot(defaults, { ...across, r: 5, fill: SEEN, stroke: GROUND, strokeWidth: 1.5, title: titleOf }),
  ]
}

/** `settings` of all detectors; undefined if none has both figures. */
export const precisionRecall = (settings: readonly Graded[]): Drawing | undefined => {
  const points = settings.flatMap(pointOf)
  const [baseRate] = baseRatesOf(settings)
  if (points.length === 0) return undefined
  const defaults = points.filter(({ isDefault }) => isDefault)
  const titles = (defaults.length > 0 ? defaults : points).slice(0, 8).map(titleOf)
  return {
    title: 'Precision and recall of every setting',
    text: `${some(points.length, 'setting')} by recall and precision, with a base rate of ${percent(baseRate ?? null)}. ${titles.join('; ')}.`,
    note: html`<span class="mark seen"></span> at the default thresholds, <span class="mark open"></span> at others, with 95 % intervals;
<span class="mark dashed"></span> base rate, ${percent(baseRate ?? null)}: the share of launches that rug. Further up and further right is better.`,
    draw: (width) => {
      const height = Math.round(Math.min(width * 0.82, 440))
      const marks = [...marksOf(settings, points), ...names(points, width, height)]
      return { ...MARGINS, height, x: { domain: SHARE_DOMAIN }, y: { domain: SHARE_DOMAIN }, marks }
    },
  }
}

/** The settings of one detector in front of all others, which are grey. */
export const precisionRecallOf = (detector: string, settings: readonly Graded[]): Drawing | undefined => {
  const own = settings.filter((graded) => graded.detector.id === detector)
  const points = own.flatMap(pointOf)
  if (points.length === 0) return undefined
  const rest = settings.filter((graded) => graded.detector.id !== detector).flatMap(pointOf)
  return {
    title: lineOf(detector, 60),
    text: `${some(points.length, 'setting')} of ${detector}. ${points.slice(0, 8).map(titleOf).join('; ')}.`,
    draw: () => ({
      ...{ ...MARGINS, height: 230, x: { domain: SHARE_DOMAIN }, y: { domain: SHARE_DOMAIN } },
      marks: [Plot.dot(rest, { ...across, r: 1.5, fill: CHANCE, fillOpacity: 0.5 }), ...marksOf(own, points)],
    }),
  }
}
