// Passes failures between threads: an EngineError with its fields, other errors by name, and a bug with its stack.
import { transferHandlers } from 'comlink'
import { EngineError, type EngineErrorCode } from '../../schemas/errors.ts'

interface Thrown {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  readonly world: {
    readonly code: EngineErrorCode
    readonly retriable: boolean
    readonly facts: Readonly<Record<string, string | number>>
  } | null
}

const thrownOf = (value: unknown): Thrown => {
  const world = value instanceof EngineError ? { code: value.code, retriable: value.retriable, facts: value.facts } : null
  if (value instanceof Error) return { name: value.name, message: value.message, stack: value.stack, world }
  return { name: 'Error', message: String(value), stack: undefined, world }
}

const errorOf = ({ name, message, stack, world }: Thrown): Error => {
  if (world !== null) return new EngineError(world.code, message, { retriable: world.retriable, facts: { ...world.facts } })
  return Object.assign(new Error(message), { name, ...(stack === undefined ? {} : { stack }) })
}

/** Call it on both sides before any message is sent. */
export const passFailures = (): void => {
  const marked = transferHandlers.get('throw')
  if (marked === undefined) throw new Error('comlink has no `throw` transfer handler')
  transferHandlers.set('throw', {
    canHandle: marked.canHandle,
    serialize: (thrown: { readonly value: unknown }): [Thrown, never[]] => [thrownOf(thrown.value), []],
    deserialize: (thrown: Thrown): never => {
      throw errorOf(thrown)
    },
  })
}
