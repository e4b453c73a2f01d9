// Shapes of rows by programs that did not record them (topic `rebuilds`): goes once no log of such a program is upgraded any more.
import { readSchema } from '../../../schemas/avro.ts'

interface FormerShape {
  readonly name: string
  readonly version: number
  /** Avro schema, JSON. */
  readonly schema: string
}

/** Processors whose rows have another shape today, each with its schema as it was released. */
export const FORMER_SHAPES: readonly FormerShape[] = [
  { name: 'mint', version: 4, schema: JSON.stringify(readSchema('former/mint-4')) },
  { name: 'creator', version: 3, schema: JSON.stringify(readSchema('former/creator-3')) },
  { name: 'wallet', version: 2, schema: JSON.stringify(readSchema('former/wallet-2')) },
]

/** Undefined for rows of a shape that is not known to be another than today's. */
export const formerShape = (name: string, version: number): string | undefined =>
  FORMER_SHAPES.find((shape) => shape.name === name && shape.version === version)?.schema
