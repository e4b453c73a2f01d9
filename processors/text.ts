// Text that creators write: cleaned before it reaches a reader. Its content stays the creator's own.

/** Control, format (bidirectional, zero-width, tags), private use, lone surrogates, line breaks, and whatever is drawn as nothing. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{DI}]/gu

/** Removes what a reader cannot see, trims, and keeps the first `charsMax` characters (code points). The result is well-formed unicode. */
export const cleanText = (text: string, charsMax: number): string => {
  const clean = text.replace(HIDDEN, '').trim()
  if (clean.length <= charsMax) return clean
  return Array.from(clean).slice(0, charsMax).join('').trimEnd()
}
