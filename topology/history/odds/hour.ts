// The current odds values of an hour in the history, and their Merkle tree.

import { HOUR_S, type LoggedValue } from '../../ports/odds-history.ts'
import type { HistoryClient } from '../client.ts'
import { GROUP_LEAVES, leafOf, lineOf, rootOf, topOf } from './tree.ts'

type Asks = Pick<HistoryClient, 'database' | 'rows'>

/** Page size: 7 MB of text. */
const PAGE_ROWS = 20_000

export interface ValueRow {
  readonly id: string
  readonly mint: string
  readonly head: LoggedValue['head']
  readonly age_s: number
  readonly t0_s: number
  readonly ppm: number
  readonly model: string
  readonly inputs_hash: string
  readonly at_s: number
  readonly is_shadow: boolean
  readonly is_deleted: number
}

/** The columns read from `odds_log`. */
export const VALUE_COLUMNS = `id, mint, toString(head) AS head, age_s, toUnixTimestamp(t0) AS t0_s, ppm, toString(model) AS model,
  inputs_hash, toUnixTimestamp(at) AS at_s, is_shadow, is_deleted`

export const loggedValue = (row: ValueRow): LoggedValue => ({
  ...{ id: row.id, mint: row.mint, head: row.head, ageS: row.age_s, t0: row.t0_s, ppm: row.ppm },
  ...{ model: row.model, inputsHash: row.inputs_hash, at: row.at_s, isShadow: row.is_shadow },
})

/** Consecutive leaves, ordered by id. */
export interface Group {
  readonly firstId: string
  readonly top: string
  readonly leaves: readonly string[]
}
export interface HourTree {
  readonly hour: number
  readonly n: number
  readonly root: string
  readonly groups: readonly Group[]
}

/** Excludes values retracted by forks. @throws EngineError */
export const readHour = async (client: Asks, hour: number): Promise<HourTree> => {
  const groups: Group[] = []
  let pending: { readonly id: string; readonly leaf: string }[] = []
  for (let after = '', isWhole = false; !isWhole; ) {
    const rows = await readPage(client, hour, after)
    isWhole = rows.length < PAGE_ROWS
    after = rows.at(-1)?.id ?? after
    pending = pending.concat(rows.map((row) => ({ id: row.id, leaf: leafOf(lineOf(loggedValue(row))) })))
    const ready = isWhole ? pending.length : pending.length - (pending.length % GROUP_LEAVES)
    for (let from = 0; from < ready; from += GROUP_LEAVES) groups.push(groupOf(pending.slice(from, Math.min(ready, from + GROUP_LEAVES))))
    pending = pending.slice(ready)
  }
  return hourOf(hour, groups)
}

/** An hour without values has a root too: it shows that values written to the hour later were not there. */
export const hourOf = (hour: number, groups: readonly Group[]): HourTree => {
  const n = groups.reduce((sum, { leaves }) => sum + leaves.length, 0)
  return {
    hour,
    n,
    root: rootOf(
      hour,
      n,
      groups.map(({ top }) => top),
    ),
    groups,
  }
}

const groupOf = (members: readonly { readonly id: string; readonly leaf: string }[]): Group => {
  const leaves = members.map(({ leaf }) => leaf)
  return { firstId: members[0]?.id ?? '', top: topOf(leaves), leaves }
}

/** Ordered by the bytes of the ids, as ClickHouse compares strings. */
const readPage = ({ database, rows }: Asks, hour: number, after: string): Promise<readonly ValueRow[]> =>
  rows<ValueRow>(
    `SELECT ${VALUE_COLUMNS} FROM ${database}.odds_log FINAL
     WHERE at >= toDateTime({from:Int64}, 'UTC') AND at < toDateTime({to:Int64}, 'UTC') AND id > {after:String}
     ORDER BY id LIMIT ${PAGE_ROWS}`,
    { from: hour, to: hour + HOUR_S, after },
  )
