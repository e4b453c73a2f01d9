// Makes the root of each hour once the history has all of it: by whoever fills the history, in the background of everything else.
//
// Leaves are written before their root, so that a root has its leaves whatever is killed when. The first root of an hour stands: two
// processes that make it at once come to the same, and a root that comes out otherwise later is kept beside it, and reported.
import { EngineError } from '../../../schemas/errors.ts'
import type { Notice } from '../../ports/notice.ts'
import { HOUR_S, ROOT_WAIT_S } from '../../ports/odds-history.ts'
import { pause } from '../../waiting/waiting.ts'
import type { HistoryClient } from '../client.ts'
import { type HourTree, hourOf, readHour } from './hour.ts'
import { ScoredUpTo } from './scored-up-to.ts'

type Client = Pick<HistoryClient, 'database' | 'rows' | 'insert'>

export interface LedgerOptions {
  readonly client: Client
  /** Up to where the history has everything, unix seconds of stream time; null while nothing is there. */
  readonly upTo: () => number | null
  /** True when every judgement that is there has its odds on the log. */
  readonly isScored: () => boolean
  readonly stop: AbortSignal
  readonly notice: Notice
  readonly lookMs?: number
}

const LOOK_MS = 10_000
/** A month: what is left is next. */
const HOURS_MAX = 744
/** So many of the newest hours that are made are looked at again: forks that reach into them are over by then. */
const AGAIN_HOURS = 2

/** Looks for hours that are over, until `stop`. Failures of ClickHouse are reported and waited for; rejects with bugs only. */
export const keepLedger = async ({ client, upTo, isScored, stop, notice, lookMs = LOOK_MS }: LedgerOptions): Promise<void> => {
  const scored = new ScoredUpTo()
  let doneTo = -1
  while (!stop.aborted) {
    const upToS = scored.look(upTo(), isScored())
    const until = closedTo(upToS)
    if (until !== null && until > doneTo) {
      try {
        doneTo = await makeRoots(client, until, upToS ?? until, notice)
      } catch (failure) {
        if (!(failure instanceof EngineError)) throw failure
        if (!stop.aborted) notice('odds_roots_late', { reason: failure.message })
      }
    }
    await pause(lookMs, stop)
  }
}

/** End of the newest hour whose root may be made, unix seconds; null before the first. */
const closedTo = (upTo: number | null): number | null => (upTo === null ? null : Math.floor((upTo - ROOT_WAIT_S) / HOUR_S) * HOUR_S)

/**
 * Makes the roots of hours that end by `until` and have none, from the first value on, and looks again at the newest. Idempotent. Returns up
 * to where all are made, unix seconds. @throws EngineError
 */
export const makeRoots = async (client: Client, until: number, upTo: number, notice: Notice): Promise<number> => {
  const made = await readMade(client)
  const from = firstDue(made)
  const withValues = await readHours(client, from, until)
  let hours = 0
  for (let hour = Math.max(from, made.size > 0 ? from : Math.min(...withValues)); hour < until; hour += HOUR_S) {
    if (++hours > HOURS_MAX) return hour
    const roots = made.get(hour) ?? []
    const tree = withValues.has(hour) ? await readHour(client, hour) : hourOf(hour, [])
    if (roots.includes(tree.root)) continue
    await write(client, tree, upTo)
    const [stands] = roots
    if (stands !== undefined) notice('odds_root_differs', { hour, n: tree.n, root: tree.root, stands })
  }
  return until
}

/** The newest that are made are looked at again; 0 while none is. */
const firstDue = (made: ReadonlyMap<number, unknown>): number =>
  made.size === 0 ? 0 : Math.max(Math.min(...made.keys()), Math.max(...made.keys()) - (AGAIN_HOURS - 1) * HOUR_S)

/** Roots of the newest hours, the one that stands first. */
const readMade = async ({ database, rows }: Client): Promise<ReadonlyMap<number, readonly string[]>> => {
  const found = await rows<{ hour_s: number; roots: readonly string[] }>(
    `SELECT toUnixTimestamp(hour) AS hour_s, arrayMap(r -> r.2, arraySort(groupUniqArray((made_at, toString(root))))) AS roots
     FROM ${database}.odds_roots_log WHERE hour > (SELECT max(hour) FROM ${database}.odds_roots_log) - INTERVAL ${AGAIN_HOURS} HOUR
     GROUP BY hour_s`,
  )
  return new Map(found.map(({ hour_s, roots }) => [hour_s, roots]))
}

/** Hours in which a value was logged, retracted since or not. */
const readHours = async ({ database, rows }: Client, from: number, until: number): Promise<ReadonlySet<number>> => {
  const found = await rows<{ hour_s: number }>(
    `SELECT DISTINCT toUnixTimestamp(hour) AS hour_s FROM ${database}.odds_log
     WHERE at >= toDateTime({from:Int64}, 'UTC') AND at < toDateTime({until:Int64}, 'UTC')`,
    { from, until },
  )
  return new Set(found.map(({ hour_s }) => hour_s))
}

/** Leaves first. */
const write = async ({ insert }: Client, { hour, n, root, groups }: HourTree, upTo: number): Promise<void> => {
  const leaves = groups.map(({ firstId, top, leaves: hashes }, part) => [hour, root, part, firstId, top, hashes])
  const at = new Date(upTo * 1_000).toISOString()
  if (leaves.length > 0)
    await insert({ table: 'odds_leaves_log', columns: LEAF_COLUMNS, format: 'JSONCompactEachRow', body: linesOf(leaves) })
  await insert({ table: 'odds_roots_log', columns: ROOT_COLUMNS, format: 'JSONCompactEachRow', body: linesOf([[hour, n, root, at]]) })
}
const LEAF_COLUMNS = ['hour', 'root', 'part', 'first_id', 'top', 'leaves']
const ROOT_COLUMNS = ['hour', 'n', 'root', 'up_to']
const linesOf = (rows: readonly (readonly unknown[])[]): Buffer => Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
