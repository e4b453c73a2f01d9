// HTML as a value: templates escape every input that is not HTML already, so strangers' text stays text.

/** Text that is safe in a document as it is; only templates and `trusted` create it. */
export class Html {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  toString(): string {
    return this.#text
  }
}

type Part = Html | string | number | readonly Part[]
type Template = (texts: TemplateStringsArray, ...parts: readonly Part[]) => Html

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;', '`': '&#96;' }

/** A template tag. `clean` gets each text before it is escaped; the result is safe between tags and in quoted attributes. */
export const templateOf = (clean: (text: string) => string): Template => {
  const escaped = (text: string): string => clean(text).replace(/[&<>"'`]/g, (character) => ESCAPES[character] ?? '')
  const textOf = (part: Part): string => {
    if (part instanceof Html) return part.toString()
    if (Array.isArray(part)) return part.map(textOf).join('')
    return escaped(String(part))
  }
  return (texts, ...parts) =>
    new Html(texts.map((text, index) => text + (index < parts.length ? textOf(parts[index] as Part) : '')).join(''))
}

/** Marks text that this program wrote as HTML: its own files, and the escaped output of a serializer. */
export const trusted = (text: string): Html => new Html(text)
