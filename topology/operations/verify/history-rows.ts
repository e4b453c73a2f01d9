// The rows that the history has, as the bytes in which they once travelled: read only, a range of slots at a time.
import { EngineError } from '../../../schemas/errors.ts'
import { type ColumnKind, isBytes } from '../../../schemas/history-rows.ts'
import type { HistoryClient } from '../../history/client.ts'
import { readRows, type WireRow } from '../../history/rows/row-reader.ts'
import type { CheckedTable } from './tables.ts'

/** Of one table's rows in a range: where there is more, the range is cut in two. */
const BODY_BYTES_MAX = 24 * 1024 * 1024
const KEY_BYTES: Readonly<Partial<Record<ColumnKind, number>>> = { key: 32, commonKey: 32, signature: 64 }

export class HistoryRows {
  readonly #client: HistoryClient

  constructor(client: HistoryClient) {
    this.#client = client
  }
  /** The first tick; null for a history without any. @throws EngineError */
  async since(): Promise<{ readonly slot: number; readonly time: number } | null> {
    const [row] = await this.#client.rows<{ slot: number; time: number }>(
      `SELECT slot, toUnixTimestamp(tick_at) AS time FROM ${this.#client.database}.ticks_log FINAL ORDER BY slot LIMIT 1`,
    )
    return row ?? null
  }
  /** The slot of the `count`th tick from `from` on, or of the last one before `until`; null for none. @throws EngineError */
  async slotAfter(from: number, until: number, count: number): Promise<number | null> {
    const [row] = await this.#client.rows<{ slot: number; n: number }>(
      `SELECT max(slot) AS slot, count() AS n FROM (SELECT slot FROM ${this.#client.database}.ticks_log FINAL
        PREWHERE slot BETWEEN {from:UInt64} AND {until:UInt64} ORDER BY slot LIMIT {count:UInt32})`,
      { from, until, count },
    )
    return row === undefined || row.n === 0 ? null : row.slot
  }
  /** A table's rows in a range of slots, ends included; undefined where they are more than may be held. @throws EngineError */
  async between(table: CheckedTable, from: number, to: number): Promise<readonly WireRow[] | undefined> {
    // Filtered before versions are merged where that cannot change what is merged: else the whole table would be merged for each range.
    const where = table.isSlotKey ? 'PREWHERE' : 'WHERE'
    return this.#read(table, `${where} slot BETWEEN {from:UInt64} AND {to:UInt64}`, { from, to })
  }
  /** A table's rows that belong to no slot, the oldest `rowsMax` by version. @throws EngineError */
  async rest(table: CheckedTable, rowsMax: number): Promise<readonly WireRow[]> {
    const rows = await this.#read(table, 'WHERE isNull(slot) ORDER BY version LIMIT {rowsMax:UInt64}', { rowsMax })
    if (rows === undefined) throw new EngineError('history_query', `${table.name} has more rows without a slot than can be held at once`)
    return rows
  }

  async #read(table: CheckedTable, where: string, params: Readonly<Record<string, number>>): Promise<readonly WireRow[] | undefined> {
    const sql = `SELECT ${table.columns.map(asTravelled).join(', ')} FROM ${this.#client.database}.${table.name} FINAL ${where}`
    const body = await this.#client.bytes(sql, 'RowBinary', params, BODY_BYTES_MAX)
    if (body === undefined) return undefined
    const rows = readRows(table, body)
    if (rows === undefined)
      throw new EngineError('history_down', `the answer for ${table.name} ends in the middle of a row`, { retriable: true })
    return rows
  }
}

const asTravelled = ({ name, kind }: CheckedTable['columns'][number]): string =>
  isBytes(kind) ? `toFixedString(base58Decode(${name}), ${KEY_BYTES[kind]})` : name
