// Plots as SVG text, drawn without a browser. Colours are variables of the page, so that one drawing serves both themes.
import * as Plot from '@observablehq/plot'
import { parseHTML } from 'linkedom'
import { type Html, trusted } from './html.ts'

/** Draws `options` at a width in CSS pixels; `attributes` are escaped text that ends with a space, for the `svg` element. */
export type Plotter = (options: Plot.PlotOptions, width: number, attributes: Html, inside?: Html) => Html

/** More digits are not seen: tenths of a pixel. */
const LONG_NUMBER = /-?\d+\.\d{2,}/g

/** One document for all plots that it draws. */
export const createPlotter = (): Plotter => {
  const { document } = parseHTML('<!doctype html><html><body></body></html>')
  return (options, width, attributes, inside) => {
    const made = Plot.plot({ ...options, width, document, className: 'plot' })
    // Each plot brings the same rules; the page's own are in its style sheet.
    made.querySelector('style')?.remove()
    const text = String(made.outerHTML).replace(LONG_NUMBER, (digits) => String(Math.round(Number(digits) * 10) / 10))
    return trusted(text.replace(/^<svg ([^>]*)>/, (_all, own: string) => `<svg ${attributes}${own}>${inside ?? ''}`))
  }
}
