// HTML as a value: what is put in is escaped unless it is HTML already, so that text of strangers stays text.

/** Text that may stand in a document as it is; only `html` makes it. */
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

/** Safe between tags and within quoted attributes. */
const escaped = (text: string): string => text.replace(/[&<>"'`]/g, (character) => ESCAPES[character] ?? '')

const textOf = (part: Part): string => {
  if (part instanceof Html) return part.toString()
  if (Array.isArray(part)) return part.map(textOf).join('')
  return escaped(String(part))
}

/** Tag of templates. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(texts.map((text, index) => text + (index < parts.length ? textOf(parts[index] as Part) : '')).join(''))
