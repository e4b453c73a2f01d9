// Errors that every log adapter throws.
import { EngineError } from '../../schemas/errors.ts'

export const fenced = (id: string): EngineError =>
  new EngineError('fenced', `a newer owner has ${id}: this one must stop`, { facts: { id } })

export const offsetExpired = (topic: string, partition: number, offset: number, start: number): EngineError =>
  new EngineError('offset_expired', `${topic}/${partition} is kept from offset ${start} on; ${offset} was trimmed`, {
    facts: { topic, partition, offset, start },
  })
