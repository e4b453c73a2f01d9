// Outlines of the answers' schemas for `/openapi.json`: the envelope once, and of each answer the fields of its data, with types, bounds and
// descriptions. Whatever the full schema allows, its outline allows; the full schemas of all answers have 700 KB, their outlines 35.
import { isObject, nameIn, ref, type Schema } from './json-schema.ts'

type Components = Readonly<Record<string, Schema>>
/** The envelope of every answer about tokens, as a component of its own. */
const ENVELOPE = 'Answer'
const REASON = ref('Reason').$ref

const partsOf = (value: unknown): readonly Schema[] => (Array.isArray(value) ? value.filter(isObject) : [])
const propertiesOf = ({ properties }: Schema): Components => (isObject(properties) ? (properties as Components) : {})
const requiredOf = ({ required }: Schema): readonly unknown[] => (Array.isArray(required) ? required : [])
const typesOf = ({ type, enum: values }: Schema): readonly unknown[] =>
  type === undefined && Array.isArray(values)
    ? [...new Set(values.map((value) => (value === null ? 'null' : Number.isInteger(value) ? 'integer' : typeof value)))]
    : [type].flat()

/** Accepts what either accepts. */
const either = (a: Schema, b: Schema): Schema => {
  if (JSON.stringify(a) === JSON.stringify(b)) return a
  const description = a.description ?? b.description
  const types = [...new Set([...typesOf(a), ...typesOf(b)])]
  return {
    ...(Array.isArray(a.enum) && Array.isArray(b.enum)
      ? { enum: [...new Set([...a.enum, ...b.enum])] }
      : !types.includes(undefined) && { type: types.length === 1 ? types[0] : types }),
    ...(types.includes('array') && { items: {} }),
    ...(description !== undefined && { description }),
  }
}

export const outlinesOf = (components: Components, names: readonly string[], urlOf: (name: string) => string): Components => {
  const target = ({ $ref }: Schema): Schema => (typeof $ref === 'string' ? (components[nameIn($ref)] ?? {}) : {})
  /** Without the fields of objects and items. */
  const shallow = (schema: Schema): Schema => {
    const { $ref, properties, required, additionalProperties, items, oneOf, anyOf, ...own } = schema
    const variants = [...partsOf(oneOf), ...partsOf(anyOf)].map(shallow)
    const [first, ...others] = variants
    return {
      ...($ref !== undefined && shallow(target(schema))),
      ...(first !== undefined && others.reduce(either, first)),
      ...own,
      ...(isObject(items) && { items: shallow(items) }),
    }
  }
  /** The alternatives of a value. */
  const variantsOf = (schema: Schema): readonly Schema[] => {
    if (schema.$ref !== undefined) return variantsOf(target(schema))
    const variants = [...partsOf(schema.oneOf), ...partsOf(schema.anyOf)]
    return variants.length === 0 ? [schema] : variants.flatMap(variantsOf)
  }
  const fieldsOf = (variants: readonly Schema[]): Schema => {
    const properties: Record<string, Schema> = {}
    for (const variant of variants)
      for (const [name, part] of Object.entries(propertiesOf(variant))) {
        const known = properties[name]
        if (part.$ref !== REASON) properties[name] = known === undefined ? shallow(part) : either(known, shallow(part))
      }
    const [first, ...others] = variants.map(requiredOf)
    const required = first?.filter((name) => others.every((other) => other.includes(name))) ?? []
    return { type: 'object', properties, ...(required.length > 0 && { required }) }
  }
  const envelopes: Schema[] = []
  const outlines = names.map((name) => {
    const variants = variantsOf(ref(name))
    const data = variants.map((variant) => propertiesOf(variant).data)
    const externalDocs = { url: urlOf(name) }
    if (!data.every(isObject) || !variants.every((variant) => 'meta' in propertiesOf(variant)))
      return [name, { ...fieldsOf(variants), externalDocs }] as const
    envelopes.push(...variants)
    return [
      name,
      { allOf: [ref(ENVELOPE), { type: 'object', properties: { data: fieldsOf(data.flatMap(variantsOf)) } }], externalDocs },
    ] as const
  })
  const { properties, ...envelope } = fieldsOf(envelopes)
  const meta = fieldsOf(envelopes.slice(0, 1).flatMap((one) => variantsOf(propertiesOf(one).meta ?? {})))
  const description =
    'Every field that is null has its reason in the field of the same name with _reason at its end. externalDocs of an answer links its complete JSON Schema.'
  return {
    [ENVELOPE]: { ...envelope, description, properties: { ...propertiesOf({ properties }), data: {}, meta } },
    ...Object.fromEntries(outlines),
  }
}
