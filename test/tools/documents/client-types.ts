// Generates client types from the OpenAPI description, in the form that openapi-fetch reads. The usual generator needs a compiler API that
// this project's compiler lacks; this generator supports the few schema keywords that our schemas use.

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const objectAt = (parent: Json, name: string): Json => (isObject(parent[name]) ? parent[name] : {})
const keyOf = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`)
const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value))
/** Of a component, or of a linked schema. */
const nameIn = (reference: string): string => reference.replace(/^.*\//, '').replace(/\.json$/, '')
const indented = (text: string): string => text.replaceAll('\n', '\n  ')

const PLAIN: Readonly<Record<string, string>> = { string: 'string', number: 'number', integer: 'number', boolean: 'boolean', null: 'null' }

const HEAD = `// Made from /openapi.json by \`npm run documents\`: not for editing.

type Schemas = components['schemas']
type Answer<Status extends number, Body, Type extends string = 'application/json'> = {
  [status in Status]: { headers: Record<string, unknown>; content: { [type in Type]: Body } }
}
interface Get<Parameters, Responses> {
  get: { parameters: Parameters; requestBody?: never; responses: Responses }
}
/** Type of an object that pairs each nullable field with its reason. */
type Explained<Fields> = Fields & { readonly [Name in keyof Fields & string as null extends Fields[Name] ? \`\${Name}_reason\` : never]?: string }
`

/** The name of an object's type, if it has one; `field` is the field that contains the object. */
type NameOf = (object: Json, field: string) => string | undefined
const nameless: NameOf = () => undefined

const typeOf = (schema: unknown, nameOf: NameOf, field = ''): string => {
  if (!isObject(schema)) return 'unknown'
  if (typeof schema.$ref === 'string') return `Schemas['${nameIn(schema.$ref)}']`
  const values = 'const' in schema ? [schema.const] : schema.enum
  if (Array.isArray(values)) return values.map(literal).join(' | ')
  const variants = schema.oneOf ?? schema.anyOf
  if (Array.isArray(variants)) return variants.map((variant) => typeOf(variant, nameOf, field)).join(' | ')
  const named = (type: unknown): string => {
    if (type === 'array') return `(${typeOf(schema.items, nameOf, field)})[]`
    return type === 'object' ? (nameOf(schema, field) ?? objectOf(schema, nameOf)) : (PLAIN[String(type)] ?? 'unknown')
  }
  return [schema.type].flat().map(named).join(' | ')
}

const objectOf = ({ properties, required, additionalProperties: more }: Json, nameOf: NameOf): string => {
  if (!isObject(properties)) return `Readonly<Record<string, ${typeOf(more, nameOf)}>>`
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name)
  const isNullable = (name: string): boolean => / null$/.test(typeOf(properties[name], nameless))
  const isReason = (name: string): boolean => !isRequired(name) && isNullable(name.replace(/_reason$/, '')) && name.endsWith('_reason')
  const names = Object.keys(properties)
  const isExplained = names.some(isReason) && names.every((name) => !isNullable(name) || isReason(`${name}_reason`))
  const shown = Object.entries(properties).filter(([name]) => !isExplained || !isReason(name))
  const lines = shown.map(
    ([name, property]) => `\n  readonly ${keyOf(name)}${isRequired(name) ? '' : '?'}: ${indented(typeOf(property, nameOf, name))}`,
  )
  const text = `{${lines.join('')}\n}`
  return lines.length === 0 ? 'object' : isExplained ? `Explained<${text}>` : text
}

/** Objects of several fields that occur more than once, each named after the first field that contains it. */
const sharedIn = (schemas: Json): ReadonlyMap<string, { readonly name: string; readonly object: Json }> => {
  const met = new Map<string, { object: Json; field: string; count: number }>()
  const note: NameOf = (object, field) => {
    const text = objectOf(object, nameless)
    const known = met.get(text) ?? { object, field, count: 0 }
    known.count += 1
    met.set(text, known)
    // Objects inside a shared object are counted once.
    return known.count > 1 ? field : undefined
  }
  for (const [name, schema] of Object.entries(schemas)) typeOf(schema, note, name)
  const taken = new Map<string, number>()
  const nameFor = (field: string): string => {
    const name = field.replaceAll(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase())
    const count = (taken.get(name) ?? 0) + 1
    taken.set(name, count)
    return count === 1 ? name : `${name}${count}`
  }
  const shared = [...met].filter(([text, { count }]) => count > 1 && text.split('\n').length > 4)
  return new Map(shared.map(([text, { object, field }]) => [text, { object, name: nameFor(field) }]))
}

/** Parameters by their location, such as the query. */
const parametersOf = ({ parameters }: Json): string => {
  const all = Array.isArray(parameters) ? (parameters as Json[]) : []
  const groups = [...new Set(all.map((parameter) => String(parameter.in)))].map((location) => {
    const here = all.filter((parameter) => parameter.in === location)
    const fields = here.map(
      ({ name, required, schema }) => `${keyOf(String(name))}${required === true ? '' : '?'}: ${typeOf(schema, nameless)}`,
    )
    return `${location}${here.some(({ required }) => required === true) ? '' : '?'}: { ${fields.join('; ')} }`
  })
  return groups.length === 0 ? 'object' : `{ ${groups.join('; ')} }`
}

/** Groups statuses with the same body. */
const responsesOf = (operation: Json, shared: Json): string => {
  const statuses = new Map<string, string[]>()
  for (const [status, given] of Object.entries(objectAt(operation, 'responses'))) {
    const response = isObject(given) && typeof given.$ref === 'string' ? objectAt(shared, nameIn(given.$ref)) : given
    for (const [type, content] of Object.entries(objectAt(isObject(response) ? response : {}, 'content'))) {
      const body = typeOf(isObject(content) ? content.schema : {}, nameless)
      const key = type === 'application/json' ? body : `${body}, '${type}'`
      statuses.set(key, [...(statuses.get(key) ?? []), status])
    }
  }
  return [...statuses].map(([body, all]) => `Answer<${all.join(' | ')}, ${body}>`).join(' & ')
}

/** The text of the generated file. @param schemas those that the document has or links. */
export const clientTypes = (document: Json, schemas: Json): string => {
  const shared = sharedIn(schemas)
  const nameOf: NameOf = (object) => shared.get(objectOf(object, nameless))?.name
  const paths = Object.entries(objectAt(document, 'paths')).map(([path, item]) => {
    const operation = objectAt(isObject(item) ? item : {}, 'get')
    return `  '${path}': Get<\n    ${parametersOf(operation)},\n    ${responsesOf(operation, objectAt(objectAt(document, 'components'), 'responses'))}\n  >\n`
  })
  const bodies = Object.entries(schemas).map(
    ([name, schema]) => `    ${keyOf(name)}: ${indented(indented(typeOf(schema, nameOf, name)))}\n`,
  )
  const interfaces = [...shared.values()].map(({ name, object }) => `\ntype ${name} = ${objectOf(object, nameOf)}\n`)
  return `${HEAD}\nexport interface paths {\n${paths.join('')}}\n\nexport interface components {\n  schemas: {\n${bodies.join('')}  }\n}\n${interfaces.join('')}`
}
