// Rows of events by their ids, whole, as the views of a chain show them.
import type { HistoryClient } from './client.ts'

/** How the views of a chain are asked for an event. */
export interface EventLookup {
  /** The view that says which view has the whole row. */
  readonly view: string
  /** What the frame is called there. */
  readonly number: string
}

const NAME = /^[a-z_]{1,40}$/

/** The row of each id that is held, by id, in base units as the guide has them. Two queries an id. @throws EngineError */
export const readEvents = async (
  { database, rows }: Pick<HistoryClient, 'database' | 'rows'>,
  { view, number }: EventLookup,
  ids: readonly string[],
): Promise<ReadonlyMap<string, object>> => {
  const found = new Map<string, object>()
  for (const id of ids) {
    const [place] = await rows<Record<string, string | number>>(
      `SELECT table, ${number} AS number FROM ${database}.${view}(id = {id:String}) LIMIT 1`,
      { id },
    )
    const table = String(place?.table ?? '')
    if (place === undefined || !NAME.test(table)) continue
    const [row] = await rows<Record<string, unknown>>(
      `SELECT * FROM ${database}.${table} WHERE ${number} = {number:UInt64} AND event_id = {id:String} LIMIT 1`,
      { number: Number(place.number), id },
    )
    if (row !== undefined) found.set(id, { table, ...row })
  }
  return found
}
