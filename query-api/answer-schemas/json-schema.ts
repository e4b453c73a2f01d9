// JSON Schemas (draft 2020-12) of answers, as `/openapi.json` publishes them.
import * as z from 'zod'

export type Schema = Readonly<Record<string, unknown>>

export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
/** The component name in a reference. */
export const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1)

/** JSON Schemas by name; they refer to each other by `$ref`. */
export const jsonSchemas = <Name extends string>(named: Readonly<Record<Name, z.ZodType>>): Readonly<Record<Name, Schema>> => {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries<z.ZodType>(named)) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => String(ref(id).$ref) })
  return Object.fromEntries(Object.keys(named).map((name) => [name, simplified(schemas[name] as Schema)])) as Record<Name, Schema>
}

export const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value)
const isFilled = (value: unknown): value is Schema => isObject(value) && Object.keys(value).length > 0
const isList = (value: unknown): value is readonly Schema[] => Array.isArray(value)

/**
 * The same schema simplified for clients and code generators: `type: [T, "null"]` instead of `anyOf`, constants as `enum`, without
 * keywords that restate the limits of every integer or object, and without units.
 */
const simplified = ({ $schema: _draft, $id: _id, unit: _unit, propertyNames: _names, ...schema }: Schema): Schema => {
  const {
    const: only,
    enum: values,
    type,
    minimum,
    maximum,
    pattern,
    anyOf,
    oneOf,
    properties,
    items,
    additionalProperties,
    ...rest
  } = schema
  const named = values ?? (only === undefined ? undefined : [only])
  return {
    ...(isList(anyOf) && eitherOf(anyOf.map(simplified))),
    ...(named === undefined ? type !== undefined && { type } : { enum: named }),
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
    ...(typeof pattern === 'string' && { pattern: pattern.replaceAll('\\/', '/') }),
    ...rest,
    ...(isList(oneOf) && { oneOf: oneOf.map(simplified) }),
    ...(isFilled(properties) && { properties: simplifiedEach(properties) }),
    ...(isObject(items) && { items: simplified(items) }),
    ...(isFilled(additionalProperties) && { additionalProperties: simplified(additionalProperties) }),
    ...(additionalProperties === false && { additionalProperties }),
  }
}

const simplifiedEach = (schemas: Schema): Schema =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, simplified(schema as Schema)]))

const isBare = ({ type, ...rest }: Schema): boolean => type !== undefined && Object.keys(rest).length === 0

const eitherOf = (variants: readonly Schema[]): Schema => {
  const [first = {}, second = {}] = variants
  if (variants.every(isBare)) return { type: variants.map(({ type }) => type) }
  if (variants.length > 2 || second.type !== 'null') return { anyOf: variants }
  const { type, enum: values, ...rest } = first
  return isList(values) ? { enum: [...values, null], ...rest } : { type: [type, 'null'], ...rest }
}
