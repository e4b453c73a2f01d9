// What a detector answered, as evidence: a plain object of finite numbers, texts and nulls, which nothing can change later.
import { types } from 'node:util'
import type { Evidence } from '../../../processors/mint/detectors/detector.ts'

const FIELDS_MAX = 32
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,39}$/
const TEXT_CHARACTERS_MAX = 1_000

/** Evidence copied into this realm, or in words why the answer is none. `answer`: what `find` returned, other than undefined. */
export const evidenceOf = (answer: unknown): Evidence | string => {
  if (typeof answer !== 'object' || answer === null)
    return `find answers ${answer === null ? 'null' : `a ${typeof answer}`}: give an object of evidence, or undefined where there is nothing`
  if (types.isPromise(answer)) return 'find answers a promise: a detector answers at once'
  if (types.isProxy(answer) || Array.isArray(answer) || !isPlain(answer))
    return 'find answers what is no plain object: give { name: value, ... }'
  const names = Reflect.ownKeys(answer)
  if (names.length > FIELDS_MAX) return `evidence has ${names.length} fields, at most ${FIELDS_MAX}`
  const evidence: Record<string, number | string | null> = {}
  for (const name of names) {
    if (typeof name !== 'string' || !NAME.test(name))
      return `evidence has a field ${String(name).slice(0, 60)}: letters, digits and _ make a name, 40 at most`
    const value: unknown = Reflect.getOwnPropertyDescriptor(answer, name)?.value
    const fault = faultOf(answer, name, value)
    if (fault !== undefined) return `evidence ${name} is ${fault}`
    evidence[name] = value as number | string | null
  }
  return evidence
}

/** An object literal of any realm: its prototype has none itself. */
const isPlain = (answer: object): boolean => {
  const prototype = Object.getPrototypeOf(answer) as object | null
  return prototype === null || (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'hasOwnProperty'))
}

const faultOf = (answer: object, name: string, value: unknown): string | undefined => {
  if (Reflect.getOwnPropertyDescriptor(answer, name)?.get !== undefined) return 'a getter, which may change: give its value'
  if (value === null) return undefined
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : `${value}: only finite numbers are JSON; give null and ${name}_reason`
  if (typeof value === 'string')
    return value.length <= TEXT_CHARACTERS_MAX ? undefined : `a text of more than ${TEXT_CHARACTERS_MAX} characters`
  if (typeof value === 'bigint') return 'a bigint: make it a number (solOf, shareOf, Number) or a text'
  return `a ${typeof value}: give a number, a text or null`
}
