// Whether the product says what a row of the contract says.

import { isPathParam } from '../../query-api/input.ts'
import { questions } from '../../query-api/questions.ts'
import { components } from '../../query-api/shapes/answers.ts'
import type { FieldRow, ParameterRow, RouteRow } from './rows.ts'
import { NOT_BUILT } from './rows.ts'

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

export const isBuilt = ({ path }: { readonly path: string }): boolean => !NOT_BUILT.some((start) => path.startsWith(start))

/** Undefined where the route is as the contract has it. */
export const routeFault = ({ path, priceUsd, tool }: RouteRow): string | undefined => {
  const question = questions.find((one) => one.path === path)
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
  if (required && isPathParam(path, name) !== path.includes(`{${name}}`)) return 'stands elsewhere'
  const wrong = Object.entries(bounds).find(([word, value]) => schema[word] !== value)
  return wrong && `${wrong[0]} is ${String(schema[wrong[0]])}`
}

/** Every schema that a dotted path may mean, through references and variants. */
const schemasAt = (schema: unknown, names: readonly string[]): readonly Json[] => {
  if (!isObject(schema)) return []
  if (typeof schema.$ref === 'string') return schemasAt(components[schema.$ref.split('/').at(-1) ?? ''], names)
  const variants = schema.oneOf ?? schema.anyOf
  if (Array.isArray(variants) && names.length > 0) return variants.flatMap((variant) => schemasAt(variant, names))
  const [name, ...rest] = names
  if (name === undefined) return [schema]
  return name === '[]' ? schemasAt(schema.items, rest) : isObject(schema.properties) ? schemasAt(schema.properties[name], rest) : []
}

const typesOf = (schema: Json): readonly string[] => {
  if ('const' in schema) return [typeof schema.const]
  if (Array.isArray(schema.enum)) return schema.enum.map((word) => (word === null ? 'null' : typeof word))
  if (schema.oneOf !== undefined || schema.anyOf !== undefined) return ['object']
  return [schema.type].flat().map(String)
}

/** A whole number is a number; what may be null besides says so in the list of deviations. */
export const fieldFault = ({ component, field, type }: FieldRow): string | undefined => {
  const found = schemasAt(components[component], field.replaceAll('[]', '.[]').split('.'))
  if (found.length === 0) return 'no such field'
  const types = found.flatMap(typesOf)
  const fits = (word: string): boolean =>
    types.includes(word) || (word === 'number' && types.includes('integer')) || (word === 'integer' && types.includes('number'))
  const missing = type.split('|').find((word) => !fits(word))
  return missing && `is ${[...new Set(types)].join(' or ')}, not ${missing}`
}
