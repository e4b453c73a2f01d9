// The schema files next to the day files: the Avro schema of a tape, and the columns of each table with their descriptions.
import { readSchema } from '../../../schemas/avro.ts'
import type { Chain } from '../../../schemas/types.ts'
import { textOf } from './manifest.ts'
import { type ExportedTable, schemaOf } from './table/table-columns.ts'
import { TAPE } from './tape/tape-day.ts'

export interface SchemaFile {
  readonly path: string
  readonly text: string
}

export const schemaPath = (chain: Chain, table: string): string => `schemas/${table === TAPE ? `${chain}_tape.avsc` : `${table}.json`}`

/** The schema of a frame: a tape file is a sequence of frames. `schema`: name of the schema of the tape's records. */
export const tapeSchema = (chain: Chain, schema: string): SchemaFile => {
  const [frame] = readSchema(schema) as unknown as readonly object[]
  return { path: schemaPath(chain, TAPE), text: textOf(frame as object) }
}
export const tableSchema = (chain: Chain, table: ExportedTable): SchemaFile => ({
  path: schemaPath(chain, table.table),
  text: textOf(schemaOf(table)),
})
