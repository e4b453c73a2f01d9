// Plots one setting by day, by regime, and by kind of creator: precision and base rate of each part.
import * as Plot from '@observablehq/plot'
import type { Graded, TimeSlice } from '../../report-types.ts'
import { lineOf } from '../html.ts'
import { count, percent, some, words } from '../words.ts'
import { type Bar, barOf, CHANCE, type Drawing, GROUND, isNumber, SEEN, SHARE_DOMAIN, shareAxisX, shareAxisY } from './canvas.ts'

const DAY_MS = 86_400_000
/** Maximum number of labelled days on the axis. */
const LABELLED_DAYS_MAX = 5
const CHARACTER_PX = 6.8
const ROW_PX = 26
/** Maximum number of drawn parts of one kind. */
const PARTS_MAX = 12

interface Part {
  readonly name: string
  readonly judged: number
  readonly baseRate: number | null
  /** Undefined if nothing was judged. */
  readonly precision: Bar | undefined
}

const partOf = ({ name, judged, baseRate, precision }: TimeSlice): Part => ({
  ...{ name: lineOf(words(name), 20), judged },
  ...{ baseRate: isNumber(baseRate.value) ? baseRate.value : null, precision: barOf(precision) },
})

const titleOf = ({ name, judged, baseRate, precision }: Part): string =>
  `${name}: ${percent(precision?.value ?? null)} of ${count(judged)}, base rate ${percent(baseRate)}`
const value = ({ precision }: Part): number | undefined => precision?.value
const low = ({ precision }: Part): number | undefined => precision?.low
const high = ({ precision }: Part): number | undefined => precision?.high
const ends = { stroke: SEEN, strokeOpacity: 0.5, strokeWidth: 1.5 }
const point = { fill: SEEN, stroke: GROUND, r: 3.5, title: titleOf }

/** Noon of the day in UTC, unix milliseconds; NaN if the name is not a day. */
const noonOf = (name: string): number => Date.parse(`${name}T12:00:00Z`)

const dayOf = (ms: number): string => new Date(ms).toLocaleDateString('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })

export const byDay = ({ name, slices }: Graded): Drawing | undefined => {
  const days = slices.flatMap((slice) => (slice.by === 'day' ? [{ ...partOf(slice), at: noonOf(slice.name) }] : []))
  const known = days.filter(({ at }) => isNumber(at)).sort((a, b) => a.at - b.at)
  const [first, last] = [known[0]?.at, known.at(-1)?.at]
  if (first === undefined || last === undefined || known.every(({ precision }) => precision === undefined)) return undefined
  const everyDays = Math.ceil(known.length / LABELLED_DAYS_MAX)
  const labelled = known.filter((_, i) => i % everyDays === 0).map(({ at }) => at)
  const steps = known.flatMap(({ at, baseRate }) => [-0.5, 0.5].map((half) => ({ at: at + half * DAY_MS, baseRate })))
  return {
    title: 'By day',
    text: `Precision of ${name} on ${some(known.length, 'day')}: ${known.slice(0, 31).map(titleOf).join('; ')}.`,
    draw: () => ({
      ...{ marginLeft: 44, marginRight: 16, marginTop: 24, marginBottom: 40, height: 220 },
      ...{ x: { type: 'utc', domain: [first - DAY_MS / 2, last + DAY_MS / 2] }, y: { domain: SHARE_DOMAIN } },
      marks: [
        ...shareAxisY('precision'),
        Plot.axisX(labelled, { tickSize: 4, text: dayOf, label: null }),
        Plot.line(steps, { x: 'at', y: 'baseRate', stroke: CHANCE, strokeWidth: 1.5 }),
        Plot.ruleX(known, { x: 'at', y1: low, y2: high, ...ends }),
        Plot.dot(known, { x: 'at', y: value, ...point }),
      ],
    }),
  }
}

const TITLES = { regime: 'By regime', creator: 'By kind of creator' } as const

export const byKind = ({ name, slices }: Graded, kind: 'regime' | 'creator'): Drawing | undefined => {
  const parts = slices
    .filter(({ by }) => by === kind)
    .map(partOf)
    .slice(0, PARTS_MAX)
  if (parts.every(({ precision }) => precision === undefined)) return undefined
  const marginLeft = 14 + CHARACTER_PX * Math.max(...slices.map((slice) => (slice.by === 'day' ? 0 : partOf(slice).name.length)))
  return {
    title: TITLES[kind],
    text: `Precision of ${name}: ${parts.map(titleOf).join('; ')}.`,
    draw: () => ({
      ...{ marginLeft, marginRight: 16, marginTop: 4, marginBottom: 24, height: 28 + parts.length * ROW_PX },
      ...{ x: { domain: SHARE_DOMAIN }, y: { type: 'band', domain: parts.map((part) => part.name) } },
      marks: [
        ...shareAxisX(null, [0, 0.5, 1]),
        Plot.axisY({ tickSize: 0, label: null }),
        Plot.tickX(parts, { x: 'baseRate', y: 'name', stroke: CHANCE, strokeWidth: 2 }),
        Plot.ruleY(parts, { y: 'name', x1: low, x2: high, ...ends }),
        Plot.dot(parts, { y: 'name', x: value, ...point }),
      ],
    }),
  }
}
