// What `{ "type": "long", "logicalType": "amount" }` in our schema files stands for in the schema that is published and written.
//
// In rows it is a union of long and Avro's decimal. An event that holds amounts becomes two branches: the event with longs, whose bytes are
// those from before amounts could be larger, and at the end of the list the event `...Wide` with unions, written when an amount of it needs
// one.

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
type Definition = { readonly [name: string]: Json }

/** 2^256 has 78 digits. */
const DECIMAL = { type: 'bytes', logicalType: 'decimal', precision: 78, scale: 0 } as const
const NARROW = ['long'] as const
const WIDE = ['long', DECIMAL] as const

const isList = (schema: Json): schema is readonly Json[] => Array.isArray(schema)
const isDefinition = (schema: Json): schema is Definition => schema !== null && typeof schema === 'object' && !isList(schema)
const isAmount = (schema: Json): boolean => isDefinition(schema) && schema.logicalType === 'amount'
const hasAmount = (field: Json): boolean => isDefinition(field) && [field.type ?? null].flat().some(isAmount)
/** A branch of a union of records, as the events of the tape are. */
const isEvent = (schema: Json): schema is Definition => isDefinition(schema) && schema.type === 'record'

const fieldsOf = (record: Definition): readonly Definition[] => record.fields as readonly Definition[]

/** Every amount replaced by `branches`, inside unions too. */
const replaced = (schema: Json, branches: readonly Json[]): Json => {
  if (isAmount(schema)) return branches.length === 1 ? (branches[0] as Json) : branches
  if (isList(schema)) return schema.flatMap((branch) => (isAmount(branch) ? branches : [replaced(branch, branches)]))
  if (!isDefinition(schema)) return schema
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, replaced(value, branches)]))
}

/** The event for amounts beyond long. Its branch of `type` has a name of its own, named types are those of the branches before. */
const widened = (event: Definition): Json => {
  const fields = fieldsOf(event).map((field) => {
    const { type } = field
    if (type === undefined || !isDefinition(type) || type.name === undefined) return field
    return { ...field, type: field.name === 'type' ? { ...type, name: `${type.name}Wide` } : type.name }
  })
  return replaced({ ...event, name: `${event.name}Wide`, doc: `${event.name} with an amount beyond 53 bits.`, fields }, WIDE)
}

/** A schema as it is published. */
export const withWideAmounts = (schema: Json): Json => {
  if (isAmount(schema)) return WIDE
  if (isList(schema)) {
    if (!schema.every(isEvent)) return schema.flatMap((branch) => (isAmount(branch) ? WIDE : [withWideAmounts(branch)]))
    const wide = schema.filter((event) => fieldsOf(event).some(hasAmount))
    return [...schema.map((event) => (wide.includes(event) ? replaced(event, NARROW) : withWideAmounts(event))), ...wide.map(widened)]
  }
  if (!isDefinition(schema)) return schema
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, withWideAmounts(value)]))
}
