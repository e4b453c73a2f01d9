// The queries behind proofs: logged values of a launch, the roots, and the Merkle path of a value.
import { type Key, keyText } from '../../../schemas/keys.ts'
import type { CachedResult } from '../../ports/history.ts'
import { HOUR_S, type MintOdds, type OddsKey, type OddsLedger, type OddsProof, type OddsRoot } from '../../ports/odds-history.ts'
import type { HistoryClient } from '../client.ts'
import { loggedValue, VALUE_COLUMNS, type ValueRow } from './hour.ts'
import { leafOf, lineOf, proofOf } from './tree.ts'

type Asks = Pick<HistoryClient, 'database' | 'rows'>

/** Maximum number of values of one launch: each of several models gives at most 13 (9 of graduation, 4 of a rug). */
const VALUES_MAX = 200
const NEWEST_ROOTS = 24
const NO_ROOT = 'no hour with logged odds is over yet'

/** Values of all models including retracted ones, oldest first. Uses the primary key. @throws EngineError */
export const readMintOdds = async ({ database, rows }: Asks, mint: Key): Promise<readonly MintOdds[]> => {
  const found = await rows<ValueRow>(
    `SELECT ${VALUE_COLUMNS} FROM (
       SELECT * FROM ${database}.odds_log WHERE mint = {mint:String} ORDER BY id, version DESC LIMIT 1 BY id
     ) ORDER BY at_s, id LIMIT ${VALUES_MAX}`,
    { mint: keyText(mint) },
  )
  return found.map((row) => ({ ...loggedValue(row), isRetracted: row.is_deleted === 1 }))
}

interface RootRow {
  readonly hour_s: number
  readonly n: number
  readonly root: string
  readonly up_to_s: number
}
const ROOT_COLUMNS = 'toUnixTimestamp(hour) AS hour_s, n, toString(root) AS root, toUnixTimestamp(up_to) AS up_to_s'
const rootOfRow = ({ hour_s, n, root }: RootRow): OddsRoot => ({ hour: hour_s, n, root })

/** @throws EngineError */
export const readOddsLedger = async ({ database, rows }: Asks): Promise<CachedResult<OddsLedger>> => {
  const newest = await rows<RootRow>(
    `SELECT ${ROOT_COLUMNS} FROM ${database}.odds_roots WHERE n > 0 ORDER BY hour DESC LIMIT ${NEWEST_ROOTS}`,
  )
  const [first] = newest
  if (first === undefined) return { ok: false, reason: NO_ROOT }
  const [[counts], [example]] = await Promise.all([
    rows<{ hours: number; changed: number; up_to_s: number }>(
      `SELECT count() AS hours, countIf(is_changed) AS changed, toUnixTimestamp(max(up_to)) AS up_to_s FROM ${database}.odds_roots`,
    ),
    rows<{ first_id: string }>(
      `SELECT first_id FROM ${database}.odds_leaves_log WHERE hour = toDateTime({hour:Int64}, 'UTC') AND root = {root:String}
       ORDER BY part LIMIT 1`,
      { hour: first.hour_s, root: first.root },
    ),
  ])
  const value = {
    newest: newest.map(rootOfRow),
    hours: counts?.hours ?? 0,
    changedHours: counts?.changed ?? 0,
    exampleId: example?.first_id ?? null,
  }
  return { ok: true, value, asOf: counts?.up_to_s ?? 0 }
}

/** Null if no such value was logged. @throws EngineError */
export const readOddsProof = async (client: Asks, { id, mint, number }: OddsKey): Promise<OddsProof | null> => {
  const { database, rows } = client
  const [row] = await rows<ValueRow>(
    `SELECT ${VALUE_COLUMNS} FROM (
       SELECT * FROM ${database}.odds_log WHERE mint = {mint:String} AND slot = {number:UInt64} AND id = {id:String}
       ORDER BY version DESC LIMIT 1
     )`,
    { mint: keyText(mint), number, id },
  )
  if (row === undefined) return null
  const value = loggedValue(row)
  const line = lineOf(value)
  const leaf = leafOf(line)
  const found = { value, isRetracted: row.is_deleted === 1, line, leaf }
  const hour = Math.floor(value.at / HOUR_S) * HOUR_S
  const [rootRow] = await rows<RootRow>(
    `SELECT ${ROOT_COLUMNS} FROM ${database}.odds_roots WHERE hour = toDateTime({hour:Int64}, 'UTC') LIMIT 1`,
    { hour },
  )
  if (rootRow === undefined) return { ...found, state: 'open' }
  const [root, madeAt] = [rootOfRow(rootRow), rootRow.up_to_s]
  const proof = await readPath(client, root, id, leaf)
  return proof === null ? { ...found, state: 'left_out', root, madeAt } : { ...found, state: 'proven', root, madeAt, proof }
}

/** Sibling hashes from the leaf to the top; null if the root does not include the leaf. */
const readPath = async (
  { database, rows }: Asks,
  { hour, root }: OddsRoot,
  id: string,
  leaf: string,
): Promise<readonly string[] | null> => {
  const within = `FROM ${database}.odds_leaves_log FINAL WHERE hour = toDateTime({hour:Int64}, 'UTC') AND root = {root:String}`
  const params = { hour, root }
  const tops = await rows<{ top: string; is_before: number }>(
    `SELECT toString(top) AS top, first_id <= {id:String} AS is_before ${within} ORDER BY part`,
    { ...params, id },
  )
  const part = tops.filter(({ is_before }) => is_before === 1).length - 1
  if (part < 0) return null
  const [group] = await rows<{ leaves: readonly string[] }>(`SELECT leaves ${within} AND part = {part:UInt32}`, { ...params, part })
  const index = group?.leaves.indexOf(leaf) ?? -1
  if (group === undefined || index < 0) return null
  const topHashes = tops.map(({ top }) => top)
  return proofOf(group.leaves, index, topHashes, part)
}
