// Migrates rows of another version of a processor to the current shape.
import type avro from 'avsc'
import type { AllRows, Processor } from '../../../processors/contract.ts'
import { parseType } from '../../../schemas/avro.ts'
import { asBuffer } from '../../../schemas/bytes.ts'
import { Aggregate, type PageRecord, packPages } from '../../engine/rows/aggregate.ts'
import type { Row, RowId } from '../../engine/rows/row.ts'
import { emptyPage, type StateType } from '../../engine/rows/state-type.ts'
import type { Pages } from './bases-of.ts'

/** The version that wrote pages. */
export interface Writer {
  readonly version: number
  /** Avro schema, JSON. */
  readonly schema: string
}

/** The version that reads them. */
export interface RowReader {
  readonly processor: Pick<Processor<never, never, never>, 'version' | 'migrate'>
  readonly state: StateType
}

/** Re-encodes pages of another version; undefined if the rows are the same. */
export const migratorOf = ({ processor, state }: RowReader, writer: Writer): ((key: string, pages: Pages) => PageRecord[]) | undefined => {
  const isMoved = processor.version !== writer.version && processor.migrate !== undefined
  if (writer.schema === state.schema && !isMoved) return undefined
  const read = rowsReader(state, writer.schema)
  return (key, pages) => {
    const rows = read(pages)
    return packRows(state, key, processor.version === writer.version ? rows : (processor.migrate?.(rows, writer.version) ?? rows))
  }
}

/** Reads all rows of an aggregate from its pages. */
export const rowsReader = (state: StateType, schema: string): ((pages: Pages) => AllRows) => {
  const decode = schema === state.schema ? state.decode : resolved(state.schema, schema)
  return (pages) => {
    const rows: Record<string, unknown> = emptyPage(state.kinds)
    for (const page of pages) {
      if (page === undefined) continue
      const read = decode(page)
      for (const { name, idField } of state.kinds)
        if (idField !== undefined) rows[name] = [...(rows[name] as Row[]), ...(read[name] as Row[])]
        else rows[name] = read[name] ?? rows[name]
    }
    return rows
  }
}

const resolved = (reader: string, writer: string): StateType['decode'] => {
  const type = parseType(JSON.parse(reader) as avro.Schema)
  const resolver = type.createResolver(parseType(JSON.parse(writer) as avro.Schema))
  return (bytes) => type.fromBuffer(asBuffer(bytes), resolver) as Record<string, unknown>
}

const packRows = (state: StateType, key: string, rows: AllRows): PageRecord[] => {
  const aggregate = new Aggregate(key, state.kinds.length)
  for (const kind of state.kinds) {
    const value = rows[kind.name]
    if (kind.idField !== undefined) for (const row of value as Row[]) aggregate.put(kind, row[kind.idField] as RowId, row)
    else if (value !== null) aggregate.put(kind, undefined, value as Row)
  }
  return aggregate.isEmpty ? [] : packPages(state, aggregate)
}
