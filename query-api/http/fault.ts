// Classifies thrown errors for callers, without stack, paths or messages of the process.
import { EngineError } from '../../schemas/errors.ts'
import { Unsold } from '../payment/gate.ts'
import { RETRY_AFTER_S } from '../questions/bodies.ts'

export interface Fault {
  /** A dependency failed, not this service. */
  readonly isWorld: boolean
  readonly error: 'unavailable' | 'internal_error'
  readonly hint: string
  /** On paid routes. */
  readonly charged?: false
}

const WORLD: Fault = {
  isWorld: true,
  error: 'unavailable',
  hint: `a dependency of this service does not respond; retry in ${RETRY_AFTER_S} s`,
}
const BUG: Fault = {
  isWorld: false,
  error: 'internal_error',
  hint: 'internal error; state the request id when you report it',
}

/** The error to log. */
export const causeOf = (thrown: unknown): unknown => (thrown instanceof Unsold ? thrown.cause : thrown)

export const faultOf = (thrown: unknown): Fault => {
  if (thrown instanceof Unsold) return { ...faultOf(thrown.cause), charged: false }
  return thrown instanceof EngineError ? WORLD : BUG
}
