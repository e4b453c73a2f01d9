// Generates schemas/types.ts from the Avro schemas, and schemas with shorter keys; a test checks that all are current. Run: npm run schemas
import { readFileSync, writeFileSync } from 'node:fs'
import { readSource } from './avro.ts'

const FILES = [
  'raw',
  'frame-body',
  'tape',
  'alt-frame-body',
  'alt-tape',
  'mint-state',
  'conclusions',
  'dead-letter',
  'decode-state',
  'alt-decode-state',
  'progress',
  'exchange',
  'task-state',
  'creator-state',
  'wallet-state',
  'curve-state',
  'owner',
  'source',
  'capture-state',
  'stores',
  'tape-correction',
  'base',
  'rebuild',
  'model',
] as const
const PRIMITIVES: Record<string, string> = {
  null: 'null',
  boolean: 'boolean',
  int: 'number',
  long: 'number',
  float: 'number',
  double: 'number',
  string: 'string',
  bytes: 'Uint8Array',
}
const BRANDS: Record<string, string> = {
  ...{ Key32: 'Key', Key20: 'Key' },
  ...{ Signature: 'Signature', TransactionHash: 'Signature', Word: 'string' },
  Chain: 'Chain',
}

interface Field {
  name: string
  type: Schema
  doc?: string
}
type Schema =
  | string
  | Schema[]
  | { type: string; name?: string; logicalType?: string; items?: Schema; symbols?: string[]; fields?: Field[]; doc?: string }

/** Renders TypeScript types for all schemas, each named type once, records in the order of their first use. */
export const renderTypes = (): string => {
  const done = new Map<string, string>()
  const comment = (doc: string | undefined, indent: string): string => (doc ? `${indent}/** ${doc} */\n` : '')
  const field = ({ name, type, doc }: Field): string => `${comment(doc, '  ')}  ${name}: ${typeOf(type)}\n`
  const record = (name: string, doc: string | undefined, fields: Field[]): void => {
    if (done.has(name)) return
    done.set(name, '')
    done.set(name, `${comment(doc, '')}export interface ${name} {\n${fields.map(field).join('')}}\n`)
  }
  const typeOf = (schema: Schema): string => {
    if (typeof schema === 'string') return PRIMITIVES[schema] ?? BRANDS[schema] ?? schema
    if (Array.isArray(schema)) return schema.map(typeOf).join(' | ')
    if (schema.logicalType === 'amount') return 'Amount'
    if (schema.type === 'array') return arrayOf(typeOf(schema.items as Schema))
    if (schema.type === 'enum') return enumOf(schema)
    if (schema.type === 'fixed') return BRANDS[schema.name ?? ''] ?? 'string'
    if (schema.type === 'record') record(schema.name ?? '', schema.doc, schema.fields ?? [])
    return schema.name ?? PRIMITIVES[schema.type] ?? schema.type
  }
  const enumOf = ({ name = '', symbols = [] }: Exclude<Schema, string | Schema[]>): string => {
    const union = symbols.map((symbol) => `'${symbol}'`).join(' | ')
    if (BRANDS[name] === undefined) return union
    if (!done.has(name)) done.set(name, `export type ${name} = ${union}\n`)
    return name
  }
  const arrayOf = (item: string): string => (item.includes(' ') ? `(${item})[]` : `${item}[]`)
  for (const file of FILES) typeOf(readSource(file) as Schema)
  const head =
    "// Made by schemas/generate.ts from the *.avsc files: change those, then npm run schemas.\nimport type { Amount } from './amount.ts'\nimport type { Key, Signature } from './keys.ts'\n\n"
  const unions = `/** Any event of the tape. */\nexport type TapeEvent = TapeBatch['events'][number]\n/** Any record of the tape. */\nexport type TapeRecord = TapeBatch | TapeRevert | TapeFinality\n/** Any event of the alt chain's tape. */\nexport type AltTapeEvent = AltTapeBatch['events'][number]\n/** Any record of the alt chain's tape. */\nexport type AltTapeRecord = AltTapeBatch | TapeRevert | TapeFinality\n`
  return `${head}${[...done.values()].join('\n')}\n${unions}`
}

/** Schemas generated from another schema by replacing its 32-byte keys with 20-byte keys: generated schema -> original. */
export const SHORT_KEYED = { 'alt-conclusions': 'conclusions', 'deployer-state': 'creator-state' } as const

/** The text of a schema with 20-byte keys instead of 32-byte keys. */
export const withShortKeys = (text: string): string =>
  text.replaceAll('"Key32"', '"Key20"').replace('"Key20", "size": 32', '"Key20", "size": 20')

const here = (name: string): URL => new URL(`./${name}`, import.meta.url)
if (process.argv[1]?.endsWith('generate.ts')) {
  writeFileSync(here('types.ts'), renderTypes())
  for (const [name, of] of Object.entries(SHORT_KEYED))
    writeFileSync(here(`${name}.avsc`), withShortKeys(readFileSync(here(`${of}.avsc`), 'utf8')))
}
