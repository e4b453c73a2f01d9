// Draws plots as SVG text, without a browser. Colours are variables of the page, so one drawing serves both themes.
import * as Plot from '@observablehq/plot'
import { parseHTML } from 'linkedom'
import { type Html, trusted } from './html.ts'

/**
 * Draws `options` at a width in CSS pixels. `attributes`: escaped text for the `svg` element that ends with a space; `inside`: its first
 * content.
 */
export type Plotter = (options: Plot.PlotOptions, width: number, attributes: Html, inside?: Html) => Html

const TAG = /<[a-z][^>]*>/g
/** More digits than tenths of a pixel are invisible. */
const LONG_NUMBER = /-?\d+\.\d{3,}/g
const inTenths = (digits: string): string => String(Math.round(Number(digits) * 10) / 10)

/** Names of marks, for developers, are removed: for readers the drawing as a whole has a name. */
const GROUP_NAME = /(<g\b[^>]*?) aria-label="[^"]*"/g

/** Creates a plotter with one document for all plots. */
export const createPlotter = (): Plotter => {
  const { document } = parseHTML('<!doctype html><html><body></body></html>')
  return (options, width, attributes, inside) => {
    const made = Plot.plot({ ...options, width, document, className: 'plot' })
    // Each plot contains the same rules; the page has its own in its style sheet.
    made.querySelector('style')?.remove()
    const text = String(made.outerHTML).replace(TAG, (tag) => tag.replace(LONG_NUMBER, inTenths))
    return trusted(
      text.replace(GROUP_NAME, '$1').replace(/^<svg ([^>]*)>/, (_all, own: string) => `<svg ${attributes}${own}>${inside ?? ''}`),
    )
  }
}
