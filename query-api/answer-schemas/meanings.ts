// Meanings of fields by dotted path for `/v1/labels`, from the descriptions in the schemas.
import { nameIn, type Schema } from './json-schema.ts'

interface Parts {
  readonly description?: string
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Parts>>
  readonly items?: Parts
  readonly oneOf?: readonly Parts[]
  readonly anyOf?: readonly Parts[]
}

/** The alternatives of a value. */
const shapesOf = (value: Parts): readonly Parts[] => value.anyOf ?? [value]

/**
 * The first schema that describes a field gives its meaning; `[]` stands for each item of a list. Omits generic `_reason` fields and the fields
 * inside `anyOf`.
 * @param within the field of each schema to walk, instead of the whole schema.
 */
export const meaningsIn = (schemas: Readonly<Record<string, Schema>>, names: readonly string[], within?: string) => {
  const meanings: Record<string, string> = {}
  const note = (path: string, meaning: string | undefined): void => {
    if (meaning !== undefined) meanings[path] ??= meaning
  }
  const walk = (schema: Parts, path: string): void => {
    const { $ref, oneOf = [], properties = {}, items } = schema
    if ($ref !== undefined) walk(schemas[nameIn($ref)] as Parts, path)
    for (const one of oneOf) walk(one, path)
    if (items !== undefined) {
      note(`${path}[]`, items.description)
      walk(items, `${path}[]`)
    }
    for (const [name, field] of Object.entries(properties)) {
      const at = path === '' ? name : `${path}.${name}`
      note(at, field.description)
      walk(field, at)
    }
  }
  for (const name of names) {
    const schema = schemas[name] as Parts
    const parts =
      within === undefined ? [schema] : (schema.oneOf ?? [schema]).flatMap(({ properties }) => shapesOf(properties?.[within] as Parts))
    for (const part of parts) walk(part, '')
  }
  return meanings
}
