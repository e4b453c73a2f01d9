// What a caller is told of a failure that was thrown. Nothing of the process leaves: no stack, no path, no message.
import { EngineError } from '../../schemas/errors.ts'
import { Unsold } from '../payment/gate.ts'
import { RETRY_AFTER_S } from '../questions/bodies.ts'

export interface Fault {
  /** The world failed, not this service. */
  readonly isWorld: boolean
  readonly error: 'unavailable' | 'internal_error'
  readonly hint: string
  /** Of what is sold. */
  readonly charged?: false
}

const WORLD: Fault = {
  isWorld: true,
  error: 'unavailable',
  hint: `something this service needs does not answer; try again in ${RETRY_AFTER_S} s`,
}
const BUG: Fault = {
  isWorld: false,
  error: 'internal_error',
  hint: 'this is a fault of the service; name the request id when you report it',
}

/** What a log is told. */
export const causeOf = (thrown: unknown): unknown => (thrown instanceof Unsold ? thrown.cause : thrown)

export const faultOf = (thrown: unknown): Fault => {
  if (thrown instanceof Unsold) return { ...faultOf(thrown.cause), charged: false }
  return thrown instanceof EngineError ? WORLD : BUG
}
