// Schemas whose repeated parts are definitions of their own: a document has each part, and each description, once.
import { isObject, type Schema } from './json-schema.ts'

/** Shorter parts take about as many bytes as a reference to them. */
const PART_CHARS_MIN = 120

/** The schema with other parts; `field` is the name of the field that contains the part. */
const mapParts = (schema: Schema, change: (part: Schema, field: string) => Schema, field = ''): Schema => {
  const changed = (value: unknown, name: string): unknown => (isObject(value) ? change(value, name) : value)
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === 'properties' && isObject(value))
        return [keyword, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, changed(part, name)]))]
      if (keyword === 'items' || keyword === 'additionalProperties') return [keyword, changed(value, field)]
      return [keyword, Array.isArray(value) && /^(one|any)Of$/.test(keyword) ? value.map((part) => changed(part, field)) : value]
    }),
  )
}

/** Texts of the parts that occur more than once; parts inside a repeated part are counted once. */
const repeatedIn = (schemas: Readonly<Record<string, Schema>>): ReadonlySet<string> => {
  const [met, repeated] = [new Set<string>(), new Set<string>()]
  const note = (part: Schema): Schema => {
    const text = JSON.stringify(part)
    if (!met.has(text)) mapParts(part, note)
    else if (text.length >= PART_CHARS_MIN && part.$ref === undefined) repeated.add(text)
    met.add(text)
    return part
  }
  for (const schema of Object.values(schemas)) mapParts(schema, note)
  return repeated
}

const pascalCase = (field: string): string => field.replaceAll(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase())

/** @param refTo the reference to a definition. Repeated parts are named after the field that first contains them. */
export const sharedParts = (
  schemas: Readonly<Record<string, Schema>>,
  refTo: (name: string) => Schema,
): Readonly<Record<string, Schema>> => {
  const repeated = repeatedIn(schemas)
  const names = new Map<string, string>()
  const made: Record<string, Schema> = {}
  const nameFor = (field: string): string => {
    const name = pascalCase(field || 'part')
    for (let n = 1; ; n++) {
      const free = n === 1 ? name : `${name}${n}`
      if (!(free in schemas) && !(free in made)) return free
    }
  }
  const replaced = (part: Schema, field: string): Schema => {
    const text = JSON.stringify(part)
    if (!repeated.has(text)) return mapParts(part, replaced, field)
    const known = names.get(text)
    if (known !== undefined) return refTo(known)
    const name = nameFor(field)
    names.set(text, name)
    made[name] = {}
    made[name] = mapParts(part, replaced, field)
    return refTo(name)
  }
  const kept = Object.entries(schemas).map(([name, schema]) => [name, mapParts(schema, replaced)] as const)
  return { ...Object.fromEntries(kept), ...made }
}
