// A path to a field of a card: names with dots, `[]` for each item of a list, `[2]` for one item.

export type Step = string | number | typeof EACH
const EACH = Symbol('each')
const STEP = /([A-Za-z_][\w-]*)|\[(\d*)\]|\.(\d+)/g
const PATH = /^[A-Za-z_][\w-]*(?:\[\d*\]|\.[A-Za-z_][\w-]*|\.\d+)*$/

/** Undefined for text that is not a path. */
export const parsePath = (text: string): readonly Step[] | undefined => {
  if (text.length > 200 || !PATH.test(text)) return undefined
  return [...text.matchAll(STEP)].map(([, name, item, index]) => name ?? (item === '' ? EACH : Number(item ?? index)))
}

/** The path with `[]` for every index, as in `/v1/labels`. */
export const labelOf = (steps: readonly Step[]): string =>
  steps.reduce<string>((path, step) => (typeof step === 'string' ? (path === '' ? step : `${path}.${step}`) : `${path}[]`), '')

/** The value at the path; undefined if the card has none. For `[]`: a list with the value of each item. */
export const valueAt = (card: unknown, steps: readonly Step[]): unknown => {
  let value: unknown = card
  for (const [n, step] of steps.entries()) {
    if (value === null || typeof value !== 'object') return undefined
    if (step === EACH) return Array.isArray(value) ? value.map((item: unknown) => valueAt(item, steps.slice(n + 1))) : undefined
    value = (value as Record<string | number, unknown>)[step as string | number]
  }
  return value
}

/** All paths in a value, with `[]` for items; a parent precedes its children. */
export const pathsIn = (value: unknown, path = '', found: Set<string> = new Set()): Set<string> => {
  if (path !== '') found.add(path)
  if (Array.isArray(value)) for (const item of value) pathsIn(item, `${path}[]`, found)
  else if (value !== null && typeof value === 'object')
    for (const [name, item] of Object.entries(value)) pathsIn(item, path === '' ? name : `${path}.${name}`, found)
  return found
}
