// Shapes of rows by programs that did not record them (topic `rebuilds`): goes once no log of such a program is upgraded any more.
import { readSchema } from '../../schemas/avro.ts'

interface FormerShape {
  readonly name: string
  readonly version: number
  /** Avro schema, JSON. */
  readonly schema: string
}

/** A schema before fields were added to it. */
const without = (schema: string, ...added: string[]): string => {
  const { fields, ...head } = readSchema(schema) as unknown as { readonly fields: readonly { readonly name: string }[] }
  return JSON.stringify({ ...head, fields: fields.filter(({ name }) => !added.includes(name)) })
}

/** Processors whose rows have another shape today. A test compares each with the schema as it was released. */
export const FORMER_SHAPES: readonly FormerShape[] = [{ name: 'mint', version: 4, schema: without('mint-state', 'folded') }]

/** Undefined for rows of a shape that is not known to be another than today's. */
export const formerShape = (name: string, version: number): string | undefined =>
  FORMER_SHAPES.find((shape) => shape.name === name && shape.version === version)?.schema
