// JSON Schemas (draft 2020-12) of answers, as `/openapi.json` publishes them.
import { z } from 'zod'

export type Schema = Readonly<Record<string, unknown>>

export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value)
const isList = (value: unknown): value is readonly Schema[] => Array.isArray(value)

/** JSON Schemas by name; where one holds another of them, it refers to it. */
export const jsonSchemas = (named: Readonly<Record<string, z.ZodType>>): Readonly<Record<string, Schema>> => {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => String(ref(id).$ref) })
  return Object.fromEntries(Object.keys(named).map((name) => [name, published(schemas[name] as Schema)]))
}

/**
 * The same schema in fewer words, as clients and generators of code read it best: `type: [T, "null"]` instead of a choice of two, words as `enum`
 * alone, and no bounds that every integer of JavaScript has. Units stay inside.
 */
const published = ({ $schema: _draft, $id: _id, unit: _unit, propertyNames: _names, ...schema }: Schema): Schema => {
  const { anyOf, oneOf, properties, items, additionalProperties: more } = schema
  if (isList(anyOf) && anyOf[0] !== undefined && anyOf[1]?.type === 'null') {
    const { anyOf: _either, ...described } = schema
    return orNull({ ...published(anyOf[0]), ...described })
  }
  const { const: only, enum: words = only === undefined ? undefined : [only], type, maximum, minimum, ...rest } = schema
  return {
    ...(words === undefined ? type !== undefined && { type } : { enum: words }),
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
    ...rest,
    ...(isList(anyOf) && { anyOf: anyOf.map(published) }),
    ...(isList(oneOf) && { oneOf: oneOf.map(published) }),
    ...(isObject(properties) && { properties: publishedEach(properties) }),
    ...(isObject(items) && { items: published(items) }),
    ...(isObject(more) && { additionalProperties: published(more) }),
  }
}

const publishedEach = (schemas: Schema): Schema =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, published(schema as Schema)]))

const orNull = ({ type, enum: words, ...rest }: Schema): Schema =>
  Array.isArray(words) ? { enum: [...words, null], ...rest } : { type: [type, 'null'], ...rest }
