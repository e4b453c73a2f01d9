// Text that creators write: cleaned before it reaches a reader. Its content stays the creator's own.

/** Control, format (bidirectional, zero-width, tags), private use, lone surrogates, line breaks, and whatever is drawn as nothing. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{DI}]/gu

/** Removes what a reader cannot see, trims, and keeps the first `charsMax` characters (code points). The result is well-formed unicode. */
export const cleanText = (text: string, charsMax: number): string => {
  const clean = text.replace(HIDDEN, '').trim()
  if (clean.length <= charsMax) return clean
  return Array.from(clean).slice(0, charsMax).join('').trimEnd()
}

/** JSON text whose hidden characters are escaped: the same values, and nothing that a terminal would act on. */
export const escapeHidden = (json: string): string => json.replace(HIDDEN, escaped)

/** The same of text in lines: line breaks and tabs stay. */
export const escapeHiddenInLines = (text: string): string =>
  text.replace(HIDDEN, (hidden) => (LAYOUT.has(hidden) ? hidden : escaped(hidden)))

const LAYOUT: ReadonlySet<string> = new Set(['\n', '\t'])
const escaped = (hidden: string): string => {
  const units = Array.from({ length: hidden.length }, (_, at) => hidden.charCodeAt(at).toString(16).padStart(4, '0'))
  return units.map((unit) => `\\u${unit}`).join('')
}

/** Text for a terminal: hidden characters are left out, but for line breaks and tabs. */
export const printable = (text: string): string => text.replace(HIDDEN, (hidden) => (LAYOUT.has(hidden) ? hidden : ''))
