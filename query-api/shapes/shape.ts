// JSON Schemas of answers from two flat lists by dotted path: what fields mean (the labels) and what they are (here).
import { assert } from '../../schemas/errors.ts'

/** A JSON Schema, draft 2020-12. */
export type Schema = Readonly<Record<string, unknown>>

/**
 * By dotted path, `[]` for each item of a list, `?` at the end where the field may be absent. A word of `WORDS`, `|null` behind it where null is
 * an answer (its reason may then stand beside it), `list`, `object`, or a schema.
 */
export type Types = Readonly<Record<string, string | Schema>>

const ADDRESS_PATTERN = '^[1-9A-HJ-NP-Za-km-z]{32,44}$'
const WORDS: Readonly<Record<string, Schema>> = {
  text: { type: 'string' },
  address: { type: 'string', pattern: ADDRESS_PATTERN },
  position: { type: 'string', pattern: '^solana:[0-9]+\\.([0-9]+|~)' },
  boolean: { type: 'boolean' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  count: { type: 'integer', minimum: 0 },
  share: { type: 'number', minimum: 0, maximum: 1 },
  amount: { type: 'number', minimum: 0 },
  time: { type: 'number', minimum: 0 },
  object: { type: 'object' },
  list: { type: 'array' },
}

interface Field {
  readonly type: Schema | undefined
  readonly isNullable: boolean
  readonly isOptional: boolean
  readonly doc: string | undefined
  readonly children: Map<string, Field>
}

/** Which of some words stands here. */
export const oneOf = (...words: readonly (string | number | boolean | null)[]): Schema => ({ enum: words })
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

/** An object of exactly these fields. Paths without a meaning in `docs` go without a description. */
export const shapeOf = (types: Types, docs: Readonly<Record<string, string>> = {}): Schema => {
  const root: Field = { type: undefined, isNullable: false, isOptional: false, doc: undefined, children: new Map() }
  for (const [key, type] of Object.entries(types)) {
    const isOptional = key.endsWith('?')
    const path = isOptional ? key.slice(0, -1) : key
    const names = path.replaceAll('[]', '.[]').split('.')
    const last = names.pop() ?? ''
    const parent = names.reduce((field, name) => childOf(field, name), root)
    const known = parent.children.get(last)
    const text = typeof type === 'string' ? type : ''
    parent.children.set(last, {
      type: typeof type === 'string' ? wordOf(text.replace('|null', ''), path) : type,
      isNullable: text.endsWith('|null'),
      isOptional,
      doc: docs[path],
      children: known?.children ?? new Map(),
    })
  }
  return schemaOf(root)
}

const wordOf = (word: string, path: string): Schema => {
  const schema = WORDS[word]
  assert(schema !== undefined, `no such word for the type of ${path}: ${word}`)
  return schema
}

/** A parent that is not listed itself is an object, or a list where its child is `[]`. */
const childOf = (field: Field, name: string): Field => {
  const known = field.children.get(name)
  if (known !== undefined) return known
  const made: Field = { type: undefined, isNullable: false, isOptional: false, doc: undefined, children: new Map() }
  field.children.set(name, made)
  return made
}

const schemaOf = (field: Field): Schema => {
  const described = field.doc === undefined ? {} : { description: field.doc }
  const schema = { ...bareOf(field), ...described }
  return field.isNullable ? { ...schema, type: [(schema as { type?: unknown }).type, 'null'] } : schema
}

const bareOf = ({ type, children }: Field): Schema => {
  const item = children.get('[]')
  if (item !== undefined) return { type: 'array', items: schemaOf(item) }
  return children.size === 0 ? (type ?? { type: 'object' }) : objectOf(children)
}

const objectOf = (children: ReadonlyMap<string, Field>): Schema => {
  const properties: Record<string, Schema> = {}
  for (const [name, field] of children) {
    properties[name] = schemaOf(field)
    const reason = `${name}_reason`
    if (field.isNullable && !children.has(reason)) properties[reason] = { type: 'string', description: `why ${name} is null` }
  }
  const required = [...children].flatMap(([name, { isOptional }]) => (isOptional ? [] : [name]))
  return { type: 'object', properties, required, additionalProperties: false }
}
