// Cleans text that creators write before it reaches a reader. The words themselves stay the creator's.

/** Control, format (bidirectional, zero-width, tags), private use, lone surrogates, line breaks, and everything that renders as nothing. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{DI}]/gu

/** Removes invisible characters, trims, and keeps the first `charsMax` characters (code points). The result is well-formed unicode. */
export const cleanText = (text: string, charsMax: number): string => {
  const clean = text.replace(HIDDEN, '').trim()
  if (clean.length <= charsMax) return clean
  return Array.from(clean).slice(0, charsMax).join('').trimEnd()
}

/** Escapes the hidden characters of JSON text: the values stay the same, and a terminal has nothing to act on. */
export const escapeHidden = (json: string): string => json.replace(HIDDEN, escaped)

/** Like `escapeHidden`, for text in lines: line breaks and tabs stay. */
export const escapeHiddenInLines = (text: string): string =>
  text.replace(HIDDEN, (hidden) => (LAYOUT.has(hidden) ? hidden : escaped(hidden)))

const LAYOUT: ReadonlySet<string> = new Set(['\n', '\t'])
const escaped = (hidden: string): string => {
  const units = Array.from({ length: hidden.length }, (_, at) => hidden.charCodeAt(at).toString(16).padStart(4, '0'))
  return units.map((unit) => `\\u${unit}`).join('')
}

/** Text for a terminal: removes hidden characters, except line breaks and tabs. */
export const printable = (text: string): string => text.replace(HIDDEN, (hidden) => (LAYOUT.has(hidden) ? hidden : ''))
