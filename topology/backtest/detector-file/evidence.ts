// Checks a detector's return value and copies it as evidence: a plain object of finite numbers, strings and nulls.
import { types } from 'node:util'
import type { Evidence } from '../../../processors/mint/detectors/detector.ts'

const FIELDS_MAX = 32
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,39}$/
const TEXT_CHARACTERS_MAX = 1_000

/** Evidence copied into this realm, or the reason why the answer is not evidence. `answer`: the return value of `find`, not undefined. */
export const evidenceOf = (answer: unknown): Evidence | string => {
  if (typeof answer !== 'object' || answer === null)
    return `find returns ${answer === null ? 'null' : `a ${typeof answer}`}: return an object of evidence, or undefined if nothing is found`
  if (types.isPromise(answer)) return 'find returns a promise: a detector must be synchronous'
  if (types.isProxy(answer) || Array.isArray(answer) || !isPlain(answer))
    return 'find returns something other than a plain object: return { name: value, ... }'
  const names = Reflect.ownKeys(answer)
  if (names.length > FIELDS_MAX) return `evidence has ${names.length} fields, at most ${FIELDS_MAX} are allowed`
  const evidence: Record<string, number | string | null> = {}
  for (const name of names) {
    if (typeof name !== 'string' || !NAME.test(name))
      return `evidence has a field ${String(name).slice(0, 60)}: a name is a letter, then letters, digits and _, at most 40 characters`
    const value: unknown = Reflect.getOwnPropertyDescriptor(answer, name)?.value
    const fault = faultOf(answer, name, value)
    if (fault !== undefined) return `evidence ${name} is ${fault}`
    evidence[name] = value as number | string | null
  }
  return evidence
}

/** True for an object literal of any realm: the prototype of its prototype is null. */
const isPlain = (answer: object): boolean => {
  const prototype = Object.getPrototypeOf(answer) as object | null
  return prototype === null || (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'hasOwnProperty'))
}

const faultOf = (answer: object, name: string, value: unknown): string | undefined => {
  if (Reflect.getOwnPropertyDescriptor(answer, name)?.get !== undefined) return 'a getter, whose value may change: return the value'
  if (value === null) return undefined
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : `${value}: JSON has finite numbers only; return null and ${name}_reason`
  if (typeof value === 'string')
    return value.length <= TEXT_CHARACTERS_MAX ? undefined : `a string of more than ${TEXT_CHARACTERS_MAX} characters`
  if (typeof value === 'bigint') return 'a bigint: convert it to a number (solOf, shareOf, Number) or a string'
  return `a ${typeof value}: return a number, a string or null`
}
