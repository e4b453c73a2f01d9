// Complete rows of events by id, from the views of a chain.
import type { HistoryClient } from './client.ts'

/** How to look up an event in the views of a chain. */
export interface EventLookup {
  /** The view that says which view has the complete row. */
  readonly view: string
  /** Name of the frame number's column in it. */
  readonly number: string
}

const NAME = /^[a-z_]{1,40}$/

/** The row of each known id, in base units as documented in the guide. Two queries per id. @throws EngineError */
export const readEvents = async (
  { database, rows }: Pick<HistoryClient, 'database' | 'rows'>,
  { view, number }: EventLookup,
  ids: readonly string[],
): Promise<ReadonlyMap<string, object>> => {
  const found = new Map<string, object>()
  for (const id of ids) {
    const [entry] = await rows<Record<string, string | number>>(
      `SELECT table, ${number} AS number FROM ${database}.${view}(id = {id:String}) LIMIT 1`,
      { id },
    )
    const table = String(entry?.table ?? '')
    if (entry === undefined || !NAME.test(table)) continue
    const [row] = await rows<Record<string, unknown>>(
      `SELECT * FROM ${database}.${table} WHERE ${number} = {number:UInt64} AND event_id = {id:String} LIMIT 1`,
      { number: Number(entry.number), id },
    )
    if (row !== undefined) found.set(id, { table, ...row })
  }
  return found
}
