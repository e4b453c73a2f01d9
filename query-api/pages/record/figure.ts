// A drawing with its title and a text alternative.
import type { PlotOptions } from '@observablehq/plot'
import { createPlotter } from '../../../processors/drawing/plot.ts'
import { type Html, html } from '../html.ts'

export interface Drawing {
  /** Unique within the page. */
  readonly id: string
  readonly title: string
  /** The text alternative. */
  readonly text: string
  /** Below the title. */
  readonly note?: Html
  /** Fills the page's width: drawn twice, for desktops and phones; the style sheet shows one. */
  readonly isWide?: true
  /** `width` in CSS pixels. */
  draw(width: number): PlotOptions
}

const WIDE = 1_060
const NARROW = 360
const SMALL = 420

const plot = createPlotter()

/** Yields to the event loop between two drawings, each of which takes some milliseconds. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const drawn = async (drawing: Drawing, width: number, kind: string): Promise<Html> => {
  await turn()
  const id = `${drawing.id}-${kind}`
  const attributes = html`role="img" aria-labelledby="${id}-title ${id}-text" data-kind="${kind}" `
  return plot(
    drawing.draw(width),
    width,
    attributes,
    html`<title id="${id}-title">${drawing.title}</title><desc id="${id}-text">${drawing.text}</desc>`,
  )
}

/** @param below shown under the drawing, such as its table. */
export const figurePart = async (drawing: Drawing, below: Html = html``): Promise<Html> => {
  const svg =
    drawing.isWide === true
      ? html`${await drawn(drawing, WIDE, 'desk')}${await drawn(drawing, NARROW, 'phone')}`
      : await drawn(drawing, SMALL, 'small')
  return html`<figure class="drawing" id="${drawing.id}">
<figcaption><h3>${drawing.title}</h3>${drawing.note ?? ''}</figcaption>
${svg}${below}</figure>`
}
