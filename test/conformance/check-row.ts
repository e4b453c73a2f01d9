// Checks rows of the contract against what the product publishes.

import { RADAR_PAGE } from '../../query-api/answers/ranked/radar.ts'
import { questions } from '../../query-api/app/list/questions.ts'
import { typicalOf } from '../../query-api/discovery/catalog.ts'
import { ALERTS_PATH } from '../../query-api/pages/alerts/page.ts'
import { TOKEN_PATH } from '../../query-api/pages/paths.ts'
import { isPathParam } from '../../query-api/questions/input.ts'
import { STREAM } from '../../query-api/stream/facts.ts'
import { components } from '../shipped.ts'
import type { BoundRow, FieldRow, WordsRow } from './field-rows.ts'
import type { ParameterRow, RouteRow, TypicalRow } from './rows.ts'

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const ENVELOPED = [...new Set(questions.flatMap(({ schema = [], isBare }) => (isBare ? [] : schema)))]
const STREAMED = { ...STREAM, tool: null }

/** Undefined if the route matches the contract. */
export const routeFault = ({ path, priceUsd, tool }: RouteRow): string | undefined => {
  // These paths are pages, not questions. test/integration/page-token.test.ts and page-radar.test.ts request the first two.
  if (path === TOKEN_PATH || path === RADAR_PAGE || path === ALERTS_PATH)
    return priceUsd === 0 && tool === null ? undefined : 'is a free page'
  const question = [...questions, STREAMED].find((one) => one.path === path)
  if (question === undefined) return 'no such route'
  if (Math.round(priceUsd * 1e6) !== question.priceMicroUsdc) return `costs ${question.priceMicroUsdc} micro-USDC`
  return question.tool === tool ? undefined : `its tool is ${question.tool}`
}

export const parameterFault = ({ path, name, type, bounds, required }: ParameterRow): string | undefined => {
  const param = questions.find((one) => one.path === path)?.params[name]
  if (param === undefined) return 'no such parameter'
  const schema: Json = { ...param.schema }
  if ([schema.type].flat()[0] !== type) return `is ${String(schema.type)}`
  if ((param.fallback === undefined) !== required) return `is ${required ? 'optional' : 'required'}`
  if (required && isPathParam(path, name) !== path.includes(`{${name}}`)) return `is ${isPathParam(path, name) ? '' : 'not '}in the path`
  const wrong = Object.entries(bounds).find(([word, value]) => schema[word] !== value)
  return wrong && `${wrong[0]} is ${String(schema[wrong[0]])}`
}

export const typicalFault = ({ path, coverage, latencyMs, freshnessS }: TypicalRow): string | undefined => {
  const question = questions.find((one) => one.path === path)
  if (question === undefined) return 'no such route'
  const { typical_latency_ms, typical_freshness_s, typical_thin } = typicalOf(question)
  const [latency, freshness] =
    coverage === 'full' ? [typical_latency_ms, typical_freshness_s] : [typical_thin?.latency_ms, typical_thin?.freshness_s]
  return latency === latencyMs && freshness === freshnessS ? undefined : `is ${latency} ms, ${freshness} s`
}

/** Every schema at a dotted path, through references and variants. */
const schemasAt = (schema: unknown, names: readonly string[]): readonly Json[] => {
  if (!isObject(schema)) return []
  if (typeof schema.$ref === 'string') return schemasAt(components[schema.$ref.split('/').at(-1) ?? ''], names)
  const variants = schema.oneOf ?? schema.anyOf
  if (Array.isArray(variants) && names.length > 0) return variants.flatMap((variant) => schemasAt(variant, names))
  const [name, ...rest] = names
  if (name === undefined) return [schema]
  return name === '[]' ? schemasAt(schema.items, rest) : isObject(schema.properties) ? schemasAt(schema.properties[name], rest) : []
}

const namesOf = (field: string): readonly string[] => field.replaceAll('[]', '.[]').split('.')
const found = (component: string, field: string): readonly Json[] => schemasAt(components[component], namesOf(field))
/** Components that a row is about; `Envelope` stands for every answer that has the envelope. */
const meant = (component: string): readonly string[] => (component === 'Envelope' ? ENVELOPED : [component])

const typeOfWord = (word: unknown): string => (word === null ? 'null' : Number.isInteger(word) ? 'integer' : typeof word)

const typesOf = (schema: Json): readonly string[] => {
  if ('const' in schema) return [typeOfWord(schema.const)]
  if (Array.isArray(schema.enum)) return schema.enum.map(typeOfWord)
  if (schema.oneOf !== undefined || schema.anyOf !== undefined) return ['object']
  return [schema.type].flat().map(String)
}

/** The types that a field may have in addition to the contract's; an integer is a number. */
const beyond = (component: string, { field, type }: FieldRow): readonly string[] => {
  const stated = type.split('|')
  const types = found(component, field).flatMap(typesOf)
  return types.filter((word) => !stated.includes(word) && !(word === 'integer' && stated.includes('number')) && !stated.includes('any'))
}

/** Whether the field may be null though the contract does not state it. */
export const isAlsoNull = (row: FieldRow): boolean => meant(row.component).some((component) => beyond(component, row).includes('null'))

/**
 * Undefined if the field matches the contract: it is present and of the stated type. A null that is not stated requires a field with the
 * reason.
 */
export const fieldFault = (row: FieldRow): string | undefined => {
  for (const component of meant(row.component)) {
    const fault = faultIn(component, row)
    if (fault !== undefined) return `${component}: ${fault}`
  }
  return undefined
}

const faultIn = (component: string, row: FieldRow): string | undefined => {
  const { field, type } = row
  const schemas = found(component, field)
  if (schemas.length === 0) return 'no such field'
  const types = schemas.flatMap(typesOf)
  const missing = type
    .split('|')
    .find((word) => word !== 'null' && word !== 'any' && !types.includes(word) && !(word === 'number' && types.includes('integer')))
  if (missing !== undefined) return `is ${[...new Set(types)].join(' or ')}, not ${missing}`
  const more = beyond(component, row)
  const other = more.find((word) => word !== 'null')
  if (other !== undefined) return `may be ${other}`
  return more.length === 0 || found(component, `${field}_reason`).length > 0 ? undefined : 'may be null without a reason'
}

export const wordsFault = ({ component, field, words }: WordsRow): string | undefined => {
  for (const name of meant(component)) {
    const published = found(name, field).flatMap((schema) =>
      'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : [],
    )
    const missing = words.find((word) => !published.includes(word))
    if (missing !== undefined) return `${name} does not have the value ${String(missing)}`
  }
  return undefined
}

export const boundFault = ({ component, field, bounds }: BoundRow): string | undefined =>
  found(component, field).some((schema) => Object.entries(bounds).every(([word, value]) => schema[word] === value))
    ? undefined
    : 'has other bounds'

/** Fields of a component that may be absent. */
export const optionalFields = (component: string): readonly string[] => {
  const { properties = {}, required = [] } = components[component] as { properties?: Json; required?: readonly string[] }
  return Object.keys(properties).filter((name) => !required.includes(name) && !name.endsWith('_reason'))
}
