// Expands `{ "type": "long", "logicalType": "amount" }` of our schema files to the schema that is published and written.
//
// In rows an amount becomes a union of long and Avro's decimal. An event with amounts becomes two branches: the event with longs, encoded
// as in older versions, and, at the end of the list, the event `...Wide` with unions, which is written if one of its amounts exceeds 53
// bits (LONG_MAX in amount.ts).

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
type Definition = { readonly [name: string]: Json }

/** 2^256 has 78 digits. */
const DECIMAL = { type: 'bytes', logicalType: 'decimal', precision: 78, scale: 0 } as const
const NARROW = ['long'] as const
const WIDE = ['long', DECIMAL] as const

const isList = (schema: Json): schema is readonly Json[] => Array.isArray(schema)
const isDefinition = (schema: Json): schema is Definition => schema !== null && typeof schema === 'object' && !isList(schema)
const isAmount = (schema: Json): boolean => isDefinition(schema) && schema.logicalType === 'amount'
/** A branch of a union of records, such as the events of the tape. */
const isEvent = (schema: Json): schema is Definition => isDefinition(schema) && schema.type === 'record'

const fieldsOf = (record: Definition): readonly Definition[] => record.fields as readonly Definition[]
const isUnionOfEvents = (schema: readonly Json[]): schema is readonly Definition[] => schema.every(isEvent)
/** Whether the schema has an amount, also in records or lists within it. A union of events does not count: it has branches. */
const hasAmount = (schema: Json): boolean =>
  isList(schema)
    ? !isUnionOfEvents(schema) && schema.some(hasAmount)
    : isDefinition(schema) && (isAmount(schema) || Object.values(schema).some(hasAmount))

/** Every amount replaced by `branches`, inside unions too. */
const replaced = (schema: Json, branches: readonly Json[]): Json => {
  if (isAmount(schema)) return branches.length === 1 ? (branches[0] as Json) : branches
  if (isList(schema)) return schema.flatMap((branch) => (isAmount(branch) ? branches : [replaced(branch, branches)]))
  if (!isDefinition(schema)) return schema
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, replaced(value, branches)]))
}

/** A second use of a type: its name replaces its definition; a type with amounts is defined again under a new name. */
const reference = (schema: Json): Json => {
  if (isList(schema)) return schema.map(reference)
  if (!isDefinition(schema)) return schema
  if (schema.items !== undefined) return { ...schema, items: reference(schema.items) }
  if (schema.name === undefined) return schema
  return hasAmount(schema) ? { ...schema, name: `${schema.name}Wide`, fields: fieldsOf(schema).map(fieldReference) } : schema.name
}
/** The enum in `type`, which names the branch, gets a new name too. */
const fieldReference = (field: Definition): Json => {
  const { name, type = null } = field
  return { ...field, type: name === 'type' && isDefinition(type) ? { ...type, name: `${type.name}Wide` } : reference(type) }
}

/** The branch `...Wide` of an event. */
const widened = (event: Definition): Json =>
  replaced({ ...(reference(event) as Definition), doc: `${event.name} with an amount beyond 53 bits.` }, WIDE)

/** A schema in its published form. */
export const withWideAmounts = (schema: Json): Json => {
  if (isAmount(schema)) return WIDE
  if (isList(schema)) {
    if (!isUnionOfEvents(schema)) return schema.flatMap((branch) => (isAmount(branch) ? WIDE : [withWideAmounts(branch)]))
    const wide = schema.filter(hasAmount)
    return [...schema.map((event) => (wide.includes(event) ? replaced(event, NARROW) : withWideAmounts(event))), ...wide.map(widened)]
  }
  if (!isDefinition(schema)) return schema
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, withWideAmounts(value)]))
}
