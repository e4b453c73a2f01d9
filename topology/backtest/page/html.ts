// HTML of the report: text that is put in becomes one line of visible characters, so that names from the chain stay text.
import { templateOf } from '../../../processors/drawing/html.ts'
import { printable } from '../../../processors/text.ts'

export { type Html, trusted } from '../../../processors/drawing/html.ts'

/** Line breaks and tabs: a copied command must stay one line. */
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g

/** One line of visible text, of at most `charactersMax` characters (UTF-16); longer ones end with an ellipsis. */
export const lineOf = (text: string, charactersMax = 2_000): string => {
  const cut = text.length > charactersMax ? `${text.slice(0, charactersMax - 1)}…` : text
  return printable(cut.replace(BREAKS, ' '))
}

/** Tag of templates. */
export const html = templateOf((text) => lineOf(text))

export const NOTHING = html``
