// A row of labelled figures.
import { type Html, html } from '../html.ts'

/** `note`: below the value; may be empty. */
export type Meter = readonly [label: string, value: string, note?: string]

export const metersPart = (meters: readonly Meter[]): Html =>
  html`<dl class="meters">${meters.map(
    ([label, value, note = '']) =>
      html`<div><dt>${label}</dt><dd>${value}</dd>${note === '' ? '' : html`<dd class="of">${note}</dd>`}</div>`,
  )}</dl>`
