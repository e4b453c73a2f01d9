// Draws plots as SVG text, without a browser. Colours are the page's variables, so one drawing works in both themes.
import * as Plot from '@observablehq/plot'
import { createPlotter } from '../../../../processors/drawing/plot.ts'
import { type Html, html } from '../html.ts'

/** Colours of observed values, and of chance or past values; the style of the page defines both. */
export const SEEN = 'var(--seen)'
export const CHANCE = 'var(--stroke)'
const RULE = 'var(--rule)'
export const GROUND = 'var(--ground)'

/** Widths in CSS pixels of a drawing that fills its column, on a desktop and on a phone. The page shows one of them. */
const WIDE = 570
const NARROW = 350
/** Width of a small multiple, on all screens. */
const SMALL = 290

export interface Drawing {
  readonly title: string
  /** A description in words, for screen readers. */
  readonly text: string
  readonly note?: Html
  /** `width` in CSS pixels. */
  draw(width: number): Plot.PlotOptions
}

export type PlotFigures = ReturnType<typeof figuresOf>

/** Plots of one page share one document. */
export const figuresOf = () => {
  const plot = createPlotter()
  const svg = (drawing: Drawing, width: number): Html => plot(drawing.draw(width), width, html`role="img" aria-label="${drawing.text}" `)
  const around = (drawing: Drawing, kind: string, drawn: Html): Html => html`<figure class="${kind}">
<figcaption><h4>${drawing.title}</h4>${drawing.note === undefined ? '' : html`<p>${drawing.note}</p>`}</figcaption>
${drawn}</figure>`
  return {
    large: (drawing: Drawing): Html =>
      around(drawing, 'large', html`<div class="desk">${svg(drawing, WIDE)}</div><div class="phone">${svg(drawing, NARROW)}</div>`),
    small: (drawing: Drawing): Html => around(drawing, 'small', svg(drawing, SMALL)),
  }
}

/** Gridlines and axis labels from 0 to 100 %. */
export const shareAxisY = (label: string | null): readonly Plot.Markish[] => [
  Plot.gridY(SHARES, { stroke: RULE, strokeOpacity: 1 }),
  Plot.axisY(SHARES, { tickSize: 0, tickFormat: asPercent, label, labelArrow: 'none' }),
]
export const shareAxisX = (label: string | null, ticks: readonly number[] = SHARES): readonly Plot.Markish[] => [
  Plot.gridX(ticks, { stroke: RULE, strokeOpacity: 1 }),
  Plot.axisX(ticks, { tickSize: 0, tickFormat: asPercent, label, labelArrow: 'none', labelAnchor: 'center', labelOffset: 36 }),
]
export const SHARE_DOMAIN: readonly [number, number] = [0, 1]
const SHARES = [0, 0.25, 0.5, 0.75, 1]
const asPercent = (share: number): string => `${Math.round(share * 100)}\u00a0%`

/** A share with its interval. A bound that is not known equals the share. */
export interface Bar {
  readonly value: number
  readonly low: number
  readonly high: number
}

export const barOf = ({ value, low, high }: { value: number | null; low: number | null; high: number | null }): Bar | undefined =>
  isNumber(value) ? { value, low: isNumber(low) ? low : value, high: isNumber(high) ? high : value } : undefined

export const isNumber = (value: number | null | undefined): value is number => typeof value === 'number' && Number.isFinite(value)
