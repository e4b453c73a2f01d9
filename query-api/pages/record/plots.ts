// The drawings of a launch's record: reserves with flags, price, and flow over time.
import * as Plot from '@observablehq/plot'
import { count, some, span } from '../figures.ts'
import type { ShownFlag } from '../flags.ts'
import { html } from '../html.ts'
import type { Drawing } from './figure.ts'
import { coarser, type Series, type Step } from './series.ts'

const RULE = 'var(--grid)'
const FLOW_BARS = 60
const TICK_STEPS_S = [1, 5, 10, 30, 60, 300, 600, 1_800, 3_600, 7_200, 21_600, 86_400, 604_800]

const significant = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 })
/** Three significant digits, without an exponent. */
export const figure = (value: number): string => (Math.abs(value) >= 1_000 ? count(Math.round(value)) : significant.format(value))

const ticksOf = (endS: number, most: number): readonly number[] => {
  const step = TICK_STEPS_S.find((every) => endS / every <= most) ?? Math.ceil(endS / most)
  return Array.from({ length: Math.floor(endS / step) + 1 }, (_, n) => n * step)
}

const timeAxis = (endS: number, width: number): readonly Plot.Markish[] => [
  Plot.axisX([...ticksOf(endS, width > 600 ? 10 : 4)], {
    ...{
      tickSize: 4,
      tickFormat: (age: number) => span(age),
      label: 'after launch',
      labelArrow: 'none',
      labelAnchor: 'right',
      labelOffset: 34,
    },
  }),
]
const valueAxis = (label: string): readonly Plot.Markish[] => [
  Plot.gridY({ stroke: RULE, strokeOpacity: 1, ticks: 4 }),
  Plot.axisY({ tickSize: 0, ticks: 4, label, labelArrow: 'none', tickFormat: figure }),
]

const frame = (height: number): Plot.PlotOptions => ({ marginLeft: 48, marginRight: 30, marginTop: 24, marginBottom: 38, height })

/** The steps whose value is known, and the last known value once more at the end of the series. */
const held = (series: Series, of: (step: Step) => number | null) => {
  const known = series.steps.flatMap((step) => {
    const value = of(step)
    return value === null ? [] : [{ ageS: step.ageS, value }]
  })
  const last = known.at(-1)
  return last === undefined ? [] : [...known, { ageS: Math.max(series.endS, last.ageS), value: last.value }]
}

const extremes = (points: readonly { readonly value: number }[]): readonly [least: number, most: number, last: number] => {
  const values = points.map(({ value }) => value)
  return [Math.min(...values), Math.max(...values), values.at(-1) ?? 0]
}

/** Undefined if no trade reported the reserve. */
export const reserveDrawing = (series: Series, flags: readonly ShownFlag[]): Drawing | undefined => {
  const points = held(series, ({ reserve }) => reserve)
  if (points.length === 0) return undefined
  const { endS, money } = series
  const [, most, last] = extremes(points)
  const shown = flags.map((flag, n) => ({ ...flag, number: n + 1 })).filter(({ ageS }) => ageS <= endS)
  const opened = series.steps.find(({ isInPool }) => isInPool)
  const pool = opened === undefined ? [] : [opened.ageS]
  const texts = shown.map(({ number, flag, ageS }) => `${number}, ${flag.replaceAll('_', ' ')}, ${span(ageS)} after launch`)
  return {
    id: 'reserves',
    title: `${money.name} held over time`,
    text: `Over ${span(endS)} it held at most ${figure(most)} ${money.name}, and ${figure(last)} at the end. ${
      texts.length === 0 ? 'No flag fired.' : `Flags: ${texts.join('; ')}.`
    }`,
    note: html`<p class="note">Reserve of the curve${opened === undefined ? '' : ', and of its pool from the dashed line on'}. Numbers are flags, listed below.</p>`,
    isWide: true,
    draw: (width) => ({
      ...frame(width > 600 ? 260 : 220),
      ...{ x: { domain: [0, endS] }, y: { domain: [0, most * 1.08 || 1] } },
      marks: [
        ...valueAxis(money.name),
        ...timeAxis(endS, width),
        Plot.areaY(points, { x: 'ageS', y: 'value', curve: 'step-after', fill: 'var(--series)', fillOpacity: 0.14 }),
        Plot.lineY(points, { x: 'ageS', y: 'value', curve: 'step-after', stroke: 'var(--series)', strokeWidth: 1.75 }),
        Plot.ruleX(pool, { stroke: 'var(--ink)', strokeDasharray: '4 3' }),
        Plot.ruleX(shown, {
          x: 'ageS',
          stroke: ({ isGrave }: ShownFlag) => (isGrave ? 'var(--grave)' : 'var(--lesser)'),
          strokeWidth: 1.5,
        }),
        Plot.text(shown, {
          ...{ x: 'ageS', text: ({ number }: { number: number }) => String(number), frameAnchor: 'top', dy: -12, fontWeight: 600 },
          fill: ({ isGrave }: ShownFlag) => (isGrave ? 'var(--grave)' : 'var(--lesser)'),
        }),
      ],
    }),
  }
}

export const priceDrawing = (series: Series): Drawing | undefined => {
  const points = held(series, ({ price }) => price)
  const first = points[0]
  if (first === undefined) return undefined
  const { endS, money } = series
  const [least, most, last] = extremes(points)
  const times = first.value > 0 ? `${figure(last / first.value)} times the first price` : 'the first price was 0'
  return {
    id: 'price',
    title: 'Price',
    text: `${money.name} for a million tokens: from ${figure(first.value)} to ${figure(last)}, which is ${times}; lowest ${figure(least)}, highest ${figure(most)}.`,
    note: html`<p class="note">${money.name} for a million tokens. Last: ${times}.</p>`,
    draw: (width) => ({
      ...frame(200),
      ...{ x: { domain: [0, endS] }, y: { domain: [0, most * 1.05 || 1] } },
      marks: [
        ...valueAxis(money.name),
        ...timeAxis(endS, width),
        Plot.lineY(points, { x: 'ageS', y: 'value', curve: 'step-after', stroke: 'var(--series)', strokeWidth: 1.75 }),
      ],
    }),
  }
}

/** Buys up, sells down. */
export const flowDrawing = (series: Series): Drawing | undefined => {
  const { steps, stepS, endS } = coarser(series, FLOW_BARS)
  if (steps.length === 0) return undefined
  const [buys, sells] = steps.reduce(([b, s], step) => [b + step.buys, s + step.sells] as const, [0, 0] as readonly [number, number])
  const most = Math.max(1, ...steps.flatMap((step) => [step.buys, step.sells]))
  const bar = (y: (step: Step) => number, fill: string): Plot.Markish =>
    Plot.rect(steps, {
      x1: 'ageS',
      x2: (step: Step) => Math.min(endS, step.ageS + stepS),
      y1: 0,
      y2: y,
      fill,
      insetLeft: 0.5,
      insetRight: 0.5,
    })
  return {
    id: 'flow',
    title: 'Buys and sells',
    text: `${some(buys, 'buy')} and ${some(sells, 'sell')}, in bars of ${span(stepS)}; at most ${most} of one side per bar.`,
    note: html`<p class="note"><span class="swatch buys"></span> ${some(buys, 'buy')} up, <span class="swatch sells"></span> ${some(sells, 'sell')} down, in bars of ${span(stepS)}.</p>`,
    draw: (width) => ({
      ...frame(200),
      ...{ x: { domain: [0, endS] }, y: { domain: [-most, most] } },
      marks: [
        Plot.gridY([-most, most], { stroke: RULE, strokeOpacity: 1 }),
        Plot.axisY([-most, 0, most], { tickSize: 0, label: 'trades', labelArrow: 'none', tickFormat: (n: number) => String(Math.abs(n)) }),
        ...timeAxis(endS, width),
        bar(({ buys: n }) => n, 'var(--buys)'),
        bar(({ sells: n }) => -n, 'var(--sells)'),
        Plot.ruleY([0], { stroke: 'var(--ink)' }),
      ],
    }),
  }
}
