// Row shapes of versions that did not record them (topic `rebuilds`): remove this once logs of such versions are no longer upgraded.
import { readSchema } from '../../../schemas/avro.ts'

interface FormerShape {
  readonly name: string
  readonly version: number
  /** Avro schema, JSON. */
  readonly schema: string
}

/** Processors whose rows have another shape now, each with its schema as released. */
export const FORMER_SHAPES: readonly FormerShape[] = [
  { name: 'mint', version: 4, schema: JSON.stringify(readSchema('former/mint-4')) },
  { name: 'creator', version: 3, schema: JSON.stringify(readSchema('former/creator-3')) },
  { name: 'wallet', version: 2, schema: JSON.stringify(readSchema('former/wallet-2')) },
]

/** Undefined if the shape is not known to differ from the current one. */
export const formerShape = (name: string, version: number): string | undefined =>
  FORMER_SHAPES.find((shape) => shape.name === name && shape.version === version)?.schema
