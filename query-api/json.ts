// JSON as it comes from outside.

/** The value; undefined for a text that is no JSON, which no JSON says. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
