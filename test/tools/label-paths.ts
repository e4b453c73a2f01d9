// The paths of fields that `/v1/labels` explains, from its objects and the references between them.
type Fields = Readonly<Record<string, string | Readonly<Record<string, unknown>>>>

/** Paths within an object: `holders.hhi` within `mint`. `as NAME` stands for the fields of NAME and of the objects in it. */
export const labelPaths = (fields: Fields, object: string): readonly string[] => {
  const entry = fields[object] ?? {}
  if (typeof entry === 'string') return labelPaths(fields, entry.replace(/^as /, ''))
  const within = Object.keys(fields).filter((name) => name.startsWith(`${object}.`))
  const nested = within.flatMap((name) => {
    const place = name.slice(object.length + 1)
    return labelPaths(fields, name).map((path) => `${place}.${path}`)
  })
  return [...Object.keys(entry), ...nested]
}
