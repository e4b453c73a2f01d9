// HTML as a value: text that is put in is escaped unless it is HTML already, so that names from the chain stay text.
import { printable } from '../../../processors/text.ts'

/** Text that may stand in the file as it is; only `html` and `trusted` make it. */
export class Html {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  toString(): string {
    return this.#text
  }
}

export type Part = Html | string | number | readonly Part[]

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;', '`': '&#96;' }
/** Line breaks and tabs: a copied command must stay one line. */
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g

/** One line of visible text, of at most `charactersMax` characters (UTF-16); longer ones end with an ellipsis. */
export const lineOf = (text: string, charactersMax = 2_000): string => {
  const cut = text.length > charactersMax ? `${text.slice(0, charactersMax - 1)}…` : text
  return printable(cut.replace(BREAKS, ' '))
}

/** Safe between tags and within quoted attributes. */
const escaped = (text: string): string => lineOf(text).replace(/[&<>"'`]/g, (character) => ESCAPES[character] ?? '')

const textOf = (part: Part): string => {
  if (part instanceof Html) return part.toString()
  if (Array.isArray(part)) return part.map(textOf).join('')
  return escaped(String(part))
}

/** Tag of templates. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(texts.map((text, index) => text + (index < parts.length ? textOf(parts[index] as Part) : '')).join(''))

/** Of text that this program wrote: its own files, and what a serializer escaped. */
export const trusted = (text: string): Html => new Html(text)

export const NOTHING = html``
