// Types of a client from the OpenAPI description, in the form that openapi-fetch reads. The usual generator needs a compiler API that the
// compiler of this project does not have; our schemas use few words, so that these are enough.

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const objectAt = (parent: Json, name: string): Json => (isObject(parent[name]) ? parent[name] : {})
const keyOf = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name))

const PLAIN: Readonly<Record<string, string>> = { string: 'string', number: 'number', integer: 'number', boolean: 'boolean', null: 'null' }

/** A schema as a type. */
const typeOf = (schema: Json, indent: string): string => {
  if (typeof schema.$ref === 'string') return `components['schemas']['${schema.$ref.split('/').at(-1)}']`
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.map((word) => JSON.stringify(word)).join(' | ')
  const variants = schema.oneOf ?? schema.anyOf
  if (Array.isArray(variants)) return variants.map((variant: Json) => typeOf(variant, indent)).join(' | ')
  return [schema.type]
    .flat()
    .map((type) =>
      type === 'object' ? objectType(schema, indent) : type === 'array' ? arrayType(schema, indent) : (PLAIN[String(type)] ?? 'unknown'),
    )
    .join(' | ')
}

const arrayType = ({ items }: Json, indent: string): string => `(${isObject(items) ? typeOf(items, indent) : 'unknown'})[]`

const objectType = (schema: Json, indent: string): string => {
  const { properties, additionalProperties: more } = schema
  if (!isObject(properties)) return `Readonly<Record<string, ${isObject(more) ? typeOf(more, indent) : 'unknown'}>>`
  const required = Array.isArray(schema.required) ? schema.required : []
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(
    ([name, property]) =>
      `${inner}readonly ${keyOf(name)}${required.includes(name) ? '' : '?'}: ${isObject(property) ? typeOf(property, inner) : 'unknown'}`,
  )
  return lines.length === 0 ? 'object' : `{\n${lines.join('\n')}\n${indent}}`
}

/** Types of the parameters that stand in one place, such as the query. */
const parametersIn = (operation: Json, place: string, indent: string): string => {
  const all = Array.isArray(operation.parameters) ? (operation.parameters as Json[]) : []
  const here = all.filter((parameter) => parameter.in === place)
  if (here.length === 0) return `${place}?: never`
  const isRequired = here.some(({ required }) => required === true)
  const lines = here.map(
    ({ name, required, schema }) =>
      `${indent}  ${keyOf(String(name))}${required === true ? '' : '?'}: ${typeOf(isObject(schema) ? schema : {}, indent)}`,
  )
  return `${place}${isRequired ? '' : '?'}: {\n${lines.join('\n')}\n${indent}}`
}

const responseType = (response: Json): string => {
  const contents = Object.entries(objectAt(response, 'content'))
  const lines = contents.map(
    ([type, content]) => `'${type}': ${typeOf(objectAt(isObject(content) ? content : {}, 'schema'), '          ')}`,
  )
  return `{ headers: Record<string, unknown>; content: { ${lines.join('; ')} } }`
}

const operationType = (operation: Json): string => {
  const parameters = ['query', 'header', 'path', 'cookie'].map((place) => `        ${parametersIn(operation, place, '        ')}`)
  const responses = Object.entries(objectAt(operation, 'responses')).map(
    ([status, response]) => `        ${status}: ${responseType(isObject(response) ? response : {})}`,
  )
  return `{\n      parameters: {\n${parameters.join('\n')}\n      }\n      requestBody?: never\n      responses: {\n${responses.join('\n')}\n      }\n    }`
}

/** The text of the file of types. */
export const clientTypes = (document: Json): string => {
  const paths = Object.entries(objectAt(document, 'paths')).map(
    ([path, item]) => `  '${path}': {\n    get: ${operationType(objectAt(isObject(item) ? item : {}, 'get'))}\n  }`,
  )
  const schemas = Object.entries(objectAt(objectAt(document, 'components'), 'schemas')).map(
    ([name, schema]) => `    ${keyOf(name)}: ${typeOf(isObject(schema) ? schema : {}, '    ')}`,
  )
  return `// Made from /openapi.json by \`npm run documents\`: not for editing.\n\nexport interface paths {\n${paths.join('\n')}\n}\n\nexport interface components {\n  schemas: {\n${schemas.join('\n')}\n  }\n}\n`
}
