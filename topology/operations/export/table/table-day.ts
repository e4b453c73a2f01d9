// Writes one day of a table as a Parquet file. ClickHouse returns it in pieces of limited size, in the order of the chain.
import { EngineError, isRetriable } from '../../../../schemas/errors.ts'
import type { HistoryClient } from '../../../history/client.ts'
import { retry } from '../../../waiting/retry.ts'
import type { DayFile } from '../day-file.ts'
import { dayParams, inDay } from '../history-times.ts'
import type { FileEntry } from '../manifest.ts'
import { ParquetJoin } from './parquet.ts'
import type { ExportedTable } from './table-columns.ts'

/** Approximate rows of a piece: ClickHouse needs some 40 MB to sort that many trades. */
const PIECE_ROWS = 50_000
/** A piece with more bytes is queried in halves. */
const PIECE_BYTES_MAX = 32 * 1024 * 1024
/** Rows are counted in this many intervals of slots. */
const STRETCHES = 4_096
/** A query that ClickHouse refuses because it is busy is retried for two minutes. */
const RETRIES = { firstMs: 250, maxMs: 15_000, triesMax: 14 }
const patiently = <T>(stop: AbortSignal, ask: () => Promise<T>): Promise<T> =>
  retry(ask, { ...RETRIES, isPassing: (failure) => isRetriable(failure) && !stop.aborted })

/** Each piece is one row group without indexes, which cannot be joined. Rows are totally ordered, so the bytes are always the same. */
const SETTINGS = Object.entries({
  max_threads: 2,
  // Moves only conditions on the storage's key, which all versions of a row share.
  optimize_move_to_prewhere_if_final: 1,
  output_format_parquet_row_group_size: 10_000_000,
  output_format_parquet_row_group_size_bytes: 1_000_000_000,
  output_format_parquet_compression_method: "'zstd'",
  output_format_parquet_string_as_string: 1,
  output_format_parquet_parallel_encoding: 0,
  output_format_parquet_write_page_index: 0,
  output_format_parquet_write_bloom_filter: 0,
})
  .map(([name, value]) => `${name} = ${value}`)
  .join(', ')

export interface TableDay {
  readonly client: HistoryClient
  readonly table: ExportedTable
  readonly dayS: number
  /** Newest slot or block to export. */
  readonly to: number
  /** Called with the number of rows written so far, and the total. */
  readonly seen: (rows: number, all: number) => void
  readonly stop: AbortSignal
  /** Approximate rows of a piece. */
  readonly pieceRows?: number
}
export type TableWritten = Pick<FileEntry, 'rows' | 'bytes' | 'sha256' | 'first' | 'last'>

interface Stretch {
  readonly low: number
  readonly high: number
  readonly rows: number
}

const queryParts = ({ client, table, dayS, to }: TableDay) => ({
  from: `${client.database}.${table.table} AS t`,
  where: `t.${table.number} <= {to:UInt64} AND ${inDay(`t.${table.time}`)}`,
  params: { ...dayParams(dayS), to },
})

/** Undefined if it was stopped; the temporary file is kept then. @throws EngineError */
export const writeTableDay = async (file: DayFile, day: TableDay): Promise<TableWritten | undefined> => {
  try {
    const ends = await endsOf(day)
    const join = new ParquetJoin()
    for (const stretch of ends === null ? [NOTHING] : await piecesOf(day, ends)) {
      if (day.stop.aborted) break
      for await (const piece of readStretch(day, stretch)) await file.write(join.take(piece))
      day.seen(join.rows, ends?.rows ?? 0)
    }
    if (day.stop.aborted) {
      await file.abandon()
      return undefined
    }
    await file.write(join.end())
    return { rows: join.rows, ...(await file.end()), first: ends?.first ?? null, last: ends?.last ?? null }
  } catch (failure) {
    await file.abandon()
    throw failure
  }
}

/** For a day without rows: the query returns a file with the columns only. */
const NOTHING: Stretch = { low: 0, high: 0, rows: 0 }

interface Ends extends Stretch {
  readonly first: string
  readonly last: string
}

const endsOf = async (day: TableDay): Promise<Ends | null> => {
  const { from, where, params } = queryParts(day)
  const { number, order } = day.table
  const place = `tuple(${order.map((name) => `t.${name}`).join(', ')})`
  const [row] = await patiently(day.stop, () =>
    day.client.rows<Ends>(
      `SELECT count() AS rows, min(t.${number}) AS low, max(t.${number}) AS high, argMin(t.position, ${place}) AS first,
           argMax(t.position, ${place}) AS last FROM ${from} WHERE ${where}`,
      params,
    ),
  )
  return row === undefined || row.rows === 0 ? null : row
}

/** Intervals of slots with about `pieceRows` rows each. They depend on the content of the history only, so they are always the same. */
const piecesOf = async (day: TableDay, all: Ends): Promise<readonly Stretch[]> => {
  const { low, high } = all
  const { pieceRows = PIECE_ROWS } = day
  if (all.rows <= pieceRows) return [all]
  const { from, where, params } = queryParts(day)
  const width = Math.ceil((high - low + 1) / STRETCHES)
  const stretches = await patiently(day.stop, () =>
    day.client.rows<{ at: number; rows: number }>(
      `SELECT intDiv(t.${day.table.number} - {low:UInt64}, {width:UInt64}) AS at, count() AS rows FROM ${from} WHERE ${where} GROUP BY at ORDER BY at`,
      { ...params, low, width },
    ),
  )
  const pieces: Stretch[] = []
  for (const { at, rows } of stretches) {
    const next = { low: low + at * width, high: low + (at + 1) * width - 1, rows }
    const piece = pieces.at(-1)
    if (piece !== undefined && piece.rows + rows <= pieceRows)
      pieces[pieces.length - 1] = { ...next, low: piece.low, rows: piece.rows + rows }
    else pieces.push(next)
  }
  return pieces
}

async function* readStretch(day: TableDay, { low, high, rows }: Stretch): AsyncGenerator<Buffer> {
  const { from, where, params } = queryParts(day)
  const { select, order, number } = day.table
  const sql = `SELECT ${select} FROM ${from}
    WHERE ${where} AND t.${number} BETWEEN {low:UInt64} AND {high:UInt64} ORDER BY ${order.map((name) => `t.${name}`).join(', ')}
    SETTINGS ${SETTINGS}`
  const piece = await patiently(day.stop, () => day.client.bytes(sql, 'Parquet', { ...params, low, high }, PIECE_BYTES_MAX))
  if (piece !== undefined) {
    yield piece
    return
  }
  if (low === high)
    throw new EngineError('history_query', `${number} ${low} of ${day.table.table} has more rows than fit into memory at once`)
  const middle = Math.floor((low + high) / 2)
  yield* readStretch(day, { low, high: middle, rows })
  yield* readStretch(day, { low: middle + 1, high, rows })
}
