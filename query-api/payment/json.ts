// Parsing and memoized serialization of JSON.

/** Undefined if the text is not valid JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const texts = new WeakMap<object, string>()

/** Memoized JSON.stringify for deeply immutable objects. */
export const memoizedJson = (part: object): string => {
  const known = texts.get(part)
  if (known !== undefined) return known
  const text = JSON.stringify(part)
  texts.set(part, text)
  return text
}
