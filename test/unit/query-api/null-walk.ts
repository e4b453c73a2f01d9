// Walks a JSON value: nulls without a reason, and the dotted paths of all its values.

/** Paths of nulls without their `<field>_reason`. */
export const unexplainedNulls = (value: unknown, path = ''): string[] => {
  if (Array.isArray(value))
    return value.flatMap((item, index) => (item === null ? [`${path}[${index}]`] : unexplainedNulls(item, `${path}[${index}]`)))
  if (value === null || typeof value !== 'object') return []
  const fields = Object.entries(value)
  const hasReason = (field: string): boolean =>
    fields.some(([name, text]) => name === `${field}_reason` && typeof text === 'string' && text.length > 10)
  return fields.flatMap(([name, child]) => {
    const at = path === '' ? name : `${path}.${name}`
    if (child === null) return hasReason(name) ? [] : [at]
    return unexplainedNulls(child, at)
  })
}

/** Paths of all leaves and of empty containers, `[]` for items of lists; without `*_reason`. */
export const pathsOf = (value: unknown, path = ''): string[] => {
  if (Array.isArray(value)) return value.length === 0 ? [path] : value.flatMap((item) => pathsOf(item, `${path}[]`))
  if (value === null || typeof value !== 'object') return [path]
  const fields = Object.entries(value).filter(([name]) => !name.endsWith('_reason'))
  return fields.length === 0 ? [path] : fields.flatMap(([name, child]) => pathsOf(child, path === '' ? name : `${path}.${name}`))
}
