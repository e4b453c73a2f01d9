// Flattens Avro schemas into lists of records and fields, for tests of rules about all of them.

interface FieldOf {
  readonly record: string
  readonly name: string
  /** The type as text: named types by name only, without docs. */
  readonly type: string
  /** Branches of a union, or the single type. */
  readonly branches: readonly string[]
  readonly hasDefault: boolean
  readonly doc: string | undefined
}
export interface RecordOf {
  readonly name: string
  readonly doc: string | undefined
  readonly fields: readonly FieldOf[]
}

type Json = string | readonly Json[] | JsonType
interface JsonType {
  readonly type: Json
  readonly name?: string
  readonly doc?: string
  readonly items?: Json
  readonly symbols?: readonly string[]
  readonly size?: number
  readonly fields?: readonly { readonly name: string; readonly type: Json; readonly doc?: string; readonly default?: unknown }[]
}

/** Every record of a schema once, including nested ones. */
export const recordsOf = (schema: unknown): readonly RecordOf[] => {
  const records: RecordOf[] = []
  const visit = (json: Json): void => {
    if (typeof json === 'string') return
    if (isList(json)) {
      for (const branch of json) visit(branch)
      return
    }
    if (json.items !== undefined) visit(json.items)
    visit(json.type)
    if (json.type !== 'record') return
    const name = json.name ?? ''
    const fields = (json.fields ?? []).map((field) => ({
      record: name,
      name: field.name,
      type: textOf(field.type),
      branches: isList(field.type) ? field.type.map(textOf) : [textOf(field.type)],
      hasDefault: field.default !== undefined,
      doc: field.doc,
    }))
    records.push({ name, doc: json.doc, fields })
    for (const field of json.fields ?? []) visit(field.type)
  }
  visit(schema as Json)
  return records
}

/** Incompatible changes from `published` to `current`: data of one cannot be read with the other. */
export const additiveFaults = (published: unknown, current: unknown): string[] => {
  const now = new Map(recordsOf(current).map((record) => [record.name, record]))
  return recordsOf(published).flatMap((before) => {
    const after = now.get(before.name)
    return after === undefined ? [`record ${before.name} is gone`] : fieldFaults(before, after)
  })
}

const fieldFaults = (before: RecordOf, after: RecordOf): string[] => {
  const known = new Map(before.fields.map((field) => [field.name, field]))
  const now = new Map(after.fields.map((field) => [field.name, field]))
  const gone = before.fields.filter(({ name }) => !now.has(name)).map(({ name }) => `${before.name}.${name} is gone`)
  const bare = after.fields.filter(({ name, hasDefault }) => !known.has(name) && !hasDefault)
  const changed = before.fields.filter((field) => !widens(field, now.get(field.name)))
  return [
    ...gone,
    ...bare.map(({ name }) => `${before.name}.${name} is new and has no default`),
    ...changed.map(({ name, type }) => `${before.name}.${name} was ${type} and is ${now.get(name)?.type}`),
  ]
}

/** Same type, or a list or union with more branches at its end. */
const widens = (before: FieldOf, after: FieldOf | undefined): boolean =>
  after === undefined || after.type === before.type || before.branches.every((branch, index) => widensText(branch, after.branches[index]))

const widensText = (before: string, after: string | undefined): boolean =>
  after !== undefined && (after === before || (before.startsWith('list(') && after.startsWith(`${before.slice(0, -1)}|`)))

const textOf = (json: Json): string => {
  if (typeof json === 'string') return json
  if (isList(json)) return json.map(textOf).join('|')
  if (json.type === 'array') return `list(${textOf(json.items ?? '')})`
  if (json.type === 'enum') return `${json.name}(${json.symbols?.join()})`
  if (json.type === 'fixed') return `${json.name}`
  return json.name ?? textOf(json.type)
}

const isList = (json: Json): json is readonly Json[] => Array.isArray(json)
