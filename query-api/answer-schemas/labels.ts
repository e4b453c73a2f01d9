// Meanings of fields by dotted path, as `/v1/labels` serves them, from the descriptions in the schemas.
import type { Schema } from './json-schema.ts'
import { whyNull } from './vocabulary.ts'

interface Parts {
  readonly description?: string
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Parts>>
  readonly items?: Parts
  readonly oneOf?: readonly Parts[]
}

/**
 * `[]` stands for each item of a list. Of several schemas each field has the meaning of the first that describes it. Generic reasons of nulls
 * are left out, and so are the fields inside a value that is any of several shapes (`anyOf`).
 */
export const meaningsIn = (schemas: readonly Schema[], named: Readonly<Record<string, Schema>>): Readonly<Record<string, string>> => {
  const meanings: Record<string, string> = {}
  const note = (path: string, meaning: string | undefined): void => {
    if (meaning !== undefined) meanings[path] ??= meaning
  }
  const walk = ({ $ref, properties = {}, items, oneOf = [] }: Parts, path: string): void => {
    if ($ref !== undefined) walk(named[$ref.slice($ref.lastIndexOf('/') + 1)] as Parts, path)
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
  for (const schema of schemas) walk(schema as Parts, '')
  return meanings
}
