// Reads rows of the history, one range of slots at a time, in the binary form in which the sink inserts them.
import { EngineError } from '../../../schemas/errors.ts'
import type { ColumnKind } from '../../../schemas/history-rows.ts'
import type { HistoryClient } from '../../history/client.ts'
import type { HistoryTables } from '../../history/rows/history-tables.ts'
import { readRows, type WireRow } from '../../history/rows/row-reader.ts'
import type { CheckedTable } from './tables.ts'

/** Limit for the rows of one table in a range; a larger range is split in two. */
const BODY_BYTES_MAX = 24 * 1024 * 1024
/** SQL that converts keys and signatures from text to bytes. */
const BYTES_OF: Readonly<Partial<Record<ColumnKind, (name: string) => string>>> = {
  key: (name) => `toFixedString(base58Decode(${name}), 32)`,
  commonKey: (name) => `toFixedString(base58Decode(${name}), 32)`,
  signature: (name) => `toFixedString(base58Decode(${name}), 64)`,
  address: (name) => `toFixedString(unhex(substring(${name}, 3)), 20)`,
  commonAddress: (name) => `toFixedString(unhex(substring(${name}, 3)), 20)`,
  txHash: (name) => `toFixedString(unhex(substring(${name}, 3)), 32)`,
}

export class HistoryRows {
  readonly #client: HistoryClient
  readonly #ticks: string
  readonly #number: string

  constructor(client: HistoryClient, { ticks, number }: Pick<HistoryTables, 'ticks' | 'number'>) {
    this.#client = client
    this.#ticks = `${client.database}.${ticks.name}`
    this.#number = number
  }
  /** Slot and time (unix s) of the first tick; null if the history is empty. @throws EngineError */
  async since(): Promise<{ readonly slot: number; readonly time: number } | null> {
    const [row] = await this.#client.rows<{ slot: number; time: number }>(
      `SELECT ${this.#number} AS slot, toUnixTimestamp(tick_at) AS time FROM ${this.#ticks} FINAL ORDER BY slot LIMIT 1`,
    )
    return row ?? null
  }
  /** The slot of the `count`th tick from `from` on, or of the last one up to `until`; null if there is none. @throws EngineError */
  async slotAfter(from: number, until: number, count: number): Promise<number | null> {
    const [row] = await this.#client.rows<{ slot: number; n: number }>(
      `SELECT max(slot) AS slot, count() AS n FROM (SELECT ${this.#number} AS slot FROM ${this.#ticks} FINAL
        PREWHERE ${this.#number} BETWEEN {from:UInt64} AND {until:UInt64} ORDER BY slot LIMIT {count:UInt32})`,
      { from, until, count },
    )
    return row === undefined || row.n === 0 ? null : row.slot
  }
  /** A table's rows in an inclusive range of slots; undefined if they exceed the size limit. @throws EngineError */
  async between(table: CheckedTable, from: number, to: number): Promise<readonly WireRow[] | undefined> {
    // Filters before versions are merged where that cannot change the result; else ClickHouse would merge the whole table for each range.
    const where = table.isSlotKey ? 'PREWHERE' : 'WHERE'
    return this.#read(table, `${where} ${table.number} BETWEEN {from:UInt64} AND {to:UInt64}`, { from, to })
  }
  /** A table's rows without a slot: the oldest `rowsMax` by version. @throws EngineError */
  async rest(table: CheckedTable, rowsMax: number): Promise<readonly WireRow[]> {
    const rows = await this.#read(table, `WHERE isNull(${table.number}) ORDER BY version LIMIT {rowsMax:UInt64}`, { rowsMax })
    if (rows === undefined)
      throw new EngineError('history_query', `${table.name} has more rows without a slot than fit into memory at once`)
    return rows
  }

  async #read(table: CheckedTable, where: string, params: Readonly<Record<string, number>>): Promise<readonly WireRow[] | undefined> {
    const sql = `SELECT ${table.columns.map(wireSql).join(', ')} FROM ${this.#client.database}.${table.name} FINAL ${where}`
    const body = await this.#client.bytes(sql, 'RowBinary', params, BODY_BYTES_MAX)
    if (body === undefined) return undefined
    const rows = readRows(table, body)
    if (rows === undefined)
      throw new EngineError('history_down', `the answer for ${table.name} is truncated in the middle of a row`, { retriable: true })
    return rows
  }
}

const wireSql = ({ name, kind }: CheckedTable['columns'][number]): string => BYTES_OF[kind]?.(name) ?? name
