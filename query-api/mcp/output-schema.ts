// The output schema of a tool: its answer, the payment terms of paid tools, or a refusal. Clients validate every result against it, those
// with `isError` included: a schema of the answer alone would reject terms and refusals.
import type { JSONObject, Tool } from '@modelcontextprotocol/server'
import { nameIn, ref, type Schema } from '../answer-schemas/json-schema.ts'
import type { QuestionFacts } from '../questions/question-facts.ts'

/**
 * Depth: the fields of the answer and of its data. Full schemas of 14 tools are 300 KB, which many clients pass to their model; at this
 * depth they are 25 KB.
 */
const ANSWER_LEVELS = 2
/** Depth for terms and refusals. */
const OTHER_LEVELS = 1
/** Fields shown without their own fields, which are the same in every answer and described at /v1/labels. */
const WITHOUT_FIELDS: ReadonlySet<string> = new Set(['meta'])
/** Envelope fields omitted to save model context: every answer has them. */
const LEFT_OUT: ReadonlySet<string> = new Set(['schema_version', 'generated_at', 't'])

export const outputSchemaOf = (
  { schema = '', priceMicroUsdc }: QuestionFacts,
  components: Components,
): NonNullable<Tool['outputSchema']> => {
  const others = priceMicroUsdc > 0 ? ['PaymentRequired', 'Refusal'] : ['Refusal']
  return {
    type: 'object',
    description: `${[schema, ...others].join(', or ')}: components of /openapi.json, which has the full schemas`,
    anyOf: [shortened(ref(schema), ANSWER_LEVELS, components), ...others.map((other) => shortened(ref(other), OTHER_LEVELS, components))],
  }
}

type Components = Readonly<Record<string, Schema>>

/** A schema that accepts everything the full one accepts: types down to a depth, without descriptions. */
const shortened = (schema: Schema, levels: number, components: Components): JSONObject => {
  const { $ref, type, properties, required, items, oneOf, anyOf, enum: words } = schema as Parts
  if ($ref !== undefined) return shortened(components[nameIn($ref)] ?? {}, levels, components)
  const either = oneOf ?? anyOf
  if (either !== undefined) return levels === 0 ? {} : united(either.map((one) => shortened(one, levels, components)))
  const isNamed = (name: string): boolean => !(isEnvelope(properties) && LEFT_OUT.has(name))
  return {
    ...(type !== undefined && { type }),
    ...(words !== undefined && { enum: [...words] }),
    ...(levels > 0 && properties && { properties: fieldsOf(properties, isNamed, levels - 1, components) }),
    ...(levels > 0 && required && { required: required.filter(isNamed) }),
    ...(levels > 0 && items && { items: shortened(items, levels, components) }),
  }
}

/** Merges the variants of an answer, which share most fields: this halves the size. */
const united = (variants: readonly JSONObject[]): JSONObject => variants.reduce(merged)

const merged = (a: JSONObject, b: JSONObject): JSONObject => {
  if (JSON.stringify(a) === JSON.stringify(b)) return a
  if (Array.isArray(a.enum) && Array.isArray(b.enum)) return { enum: [...new Set([...a.enum, ...b.enum])] }
  if (a.type !== 'object' || b.type !== 'object') return a.type !== undefined && a.type === b.type ? { type: a.type } : {}
  const [ofA, ofB] = [propertiesOf(a), propertiesOf(b)]
  const names = [...new Set([...Object.keys(ofA), ...Object.keys(ofB)])]
  const properties = Object.fromEntries(names.map((name) => [name, eitherOf(ofA[name], ofB[name])]))
  const required = requiredOf(a).filter((name) => requiredOf(b).includes(name))
  return { type: 'object', ...(names.length > 0 && { properties }), ...(required.length > 0 && { required }) }
}
const eitherOf = (a: JSONObject | undefined, b: JSONObject | undefined): JSONObject => (a && b ? merged(a, b) : (a ?? b ?? {}))
const propertiesOf = ({ properties = {} }: JSONObject) => properties as Readonly<Record<string, JSONObject>>
const requiredOf = ({ required = [] }: JSONObject) => required as readonly string[]

interface Parts {
  readonly $ref?: string
  readonly type?: string | string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly (string | number | boolean | null)[]
}

const isEnvelope = (properties: Components = {}): boolean => 'data' in properties && 'meta' in properties

const fieldsOf = (properties: Components, isNamed: (name: string) => boolean, levels: number, components: Components): JSONObject =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => isNamed(name) && !name.endsWith('_reason'))
      .map(([name, schema]) => [name, shortened(schema, WITHOUT_FIELDS.has(name) ? 0 : levels, components)]),
  )
