// Publishes the Merkle root of each hour once the history has all its odds; runs in the background of the process that writes the history.
//
// Leaves are written before their root, so a root always has its leaves after a kill. The first root of an hour is valid: concurrent
// processes compute the same root, and a root that differs later is stored in addition and reported.
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
  /** The time up to which the history is complete, unix seconds of stream time; null while it is empty. */
  readonly upTo: () => number | null
  /** True when every existing judgement has its odds on the log. */
  readonly isScored: () => boolean
  readonly stop: AbortSignal
  readonly notice: Notice
  readonly checkMs?: number
}

const CHECK_MS = 10_000
/** A month per run; the other hours follow in the next run. */
const HOURS_MAX = 744
/** How many of the newest roots are checked again: at the second check, forks that reach into their hours have ended. */
const AGAIN_HOURS = 2

/** Checks for ended hours until `stop`. Failures of ClickHouse are reported and retried; rejects only for bugs. */
export const keepLedger = async ({ client, upTo, isScored, stop, notice, checkMs = CHECK_MS }: LedgerOptions): Promise<void> => {
  const scored = new ScoredUpTo()
  let doneTo = -1
  while (!stop.aborted) {
    const upToS = scored.update(upTo(), isScored())
    const until = closedTo(upToS)
    if (until !== null && until > doneTo) {
      try {
        doneTo = await makeRoots(client, until, upToS ?? until, notice)
      } catch (failure) {
        if (!(failure instanceof EngineError)) throw failure
        if (!stop.aborted) notice('odds_roots_late', { reason: failure.message })
      }
    }
    await pause(checkMs, stop)
  }
}

/** End of the newest hour whose root may be computed, unix seconds; null if `upTo` is null. */
const closedTo = (upTo: number | null): number | null => (upTo === null ? null : Math.floor((upTo - ROOT_WAIT_S) / HOUR_S) * HOUR_S)

/**
 * Computes the missing roots of hours that end by `until`, starting at the first value, and checks the newest ones again. Idempotent. Returns
 * the time up to which all roots exist, unix seconds. @throws EngineError
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
    const [validRoot] = roots
    if (validRoot !== undefined) notice('odds_root_differs', { hour, n: tree.n, root: tree.root, stands: validRoot })
  }
  return until
}

/** The first hour to compute: the oldest whose root is checked again; 0 if there is no root. */
const firstDue = (made: ReadonlyMap<number, unknown>): number =>
  made.size === 0 ? 0 : Math.max(Math.min(...made.keys()), Math.max(...made.keys()) - (AGAIN_HOURS - 1) * HOUR_S)

/** Roots of the newest hours, the valid one first. */
const readMade = async ({ database, rows }: Client): Promise<ReadonlyMap<number, readonly string[]>> => {
  const found = await rows<{ hour_s: number; roots: readonly string[] }>(
    `SELECT toUnixTimestamp(hour) AS hour_s, arrayMap(r -> r.2, arraySort(groupUniqArray((made_at, toString(root))))) AS roots
     FROM ${database}.odds_roots_log WHERE hour > (SELECT max(hour) FROM ${database}.odds_roots_log) - INTERVAL ${AGAIN_HOURS} HOUR
     GROUP BY hour_s`,
  )
  return new Map(found.map(({ hour_s, roots }) => [hour_s, roots]))
}

/** Hours with a logged value, retracted or not. */
const readHours = async ({ database, rows }: Client, from: number, until: number): Promise<ReadonlySet<number>> => {
  const found = await rows<{ hour_s: number }>(
    `SELECT DISTINCT toUnixTimestamp(hour) AS hour_s FROM ${database}.odds_log
     WHERE at >= toDateTime({from:Int64}, 'UTC') AND at < toDateTime({until:Int64}, 'UTC')`,
    { from, until },
  )
  return new Set(found.map(({ hour_s }) => hour_s))
}

/** Writes leaves before the root. */
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
