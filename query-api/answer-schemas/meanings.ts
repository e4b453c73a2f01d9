// Meanings of fields by dotted path, as `/v1/labels` serves them: the descriptions in the schemas.
import { nameIn, type Schema } from './json-schema.ts'
import { whyNull } from './vocabulary.ts'

interface Parts {
  readonly description?: string
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Parts>>
  readonly items?: Parts
  readonly oneOf?: readonly Parts[]
  readonly anyOf?: readonly Parts[]
}

/** The value of an answer may itself be one of several. */
const shapesOf = (value: Parts): readonly Parts[] => value.anyOf ?? [value]

/**
 * Of several schemas, a field has the meaning of the first that describes it; `[]` stands for each item of a list. Generic reasons of nulls
 * are left out, and so are the fields inside a value that is any of several shapes (`anyOf`).
 * @param within the field of each schema whose value is walked instead of the whole.
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
      if (field.description !== whyNull(name.replace(/_reason$/, ''))) note(at, field.description)
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
