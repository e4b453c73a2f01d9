// HTML of the report: interpolated text becomes one line of visible characters, so names from the chain cannot inject markup.
import { templateOf } from '../../../processors/drawing/html.ts'
import { printable } from '../../../processors/text.ts'

export { type Html, trusted } from '../../../processors/drawing/html.ts'

/** Line breaks and tabs: a copied command must stay one line. */
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g

/** One line of visible text, of at most `charactersMax` characters (UTF-16); a longer text is cut and ends with an ellipsis. */
export const lineOf = (text: string, charactersMax = 2_000): string => {
  const cut = text.length > charactersMax ? `${text.slice(0, charactersMax - 1)}…` : text
  return printable(cut.replace(BREAKS, ' '))
}

/** Template tag: escapes interpolated text, and keeps it on one line. */
export const html = templateOf((text) => lineOf(text))

export const NOTHING = html``
