// HTML as a value: what is put in is escaped unless it is HTML already, so that text of strangers stays text.

/** Text that may stand in a document as it is; only templates and `trusted` make it. */
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

/** A tag of templates. `clean` sees each text before it is escaped; the result is safe between tags and within quoted attributes. */
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

/** Of text that this program wrote: its own files, and what a serializer escaped. */
export const trusted = (text: string): Html => new Html(text)
