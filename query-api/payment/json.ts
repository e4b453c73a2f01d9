// JSON as it comes from outside, and as it leaves.

/** The value; undefined for a text that is no JSON, which no JSON says. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const texts = new WeakMap<object, string>()

/** As JSON.stringify, of what stays the same for good with all that is in it: the text is made once. */
export const lastingJson = (part: object): string => {
  const known = texts.get(part)
  if (known !== undefined) return known
  const text = JSON.stringify(part)
  texts.set(part, text)
  return text
}
