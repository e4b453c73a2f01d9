// Reads one finding from the history; retracted findings stay readable as retracted.
import { BASE58_KEYS, HEX_KEYS, keyText } from '../../schemas/keys.ts'
import type { FindingKey, KeptFinding } from '../ports/history.ts'
import type { HistoryClient } from './client.ts'

interface FindingRow {
  readonly flag: string
  readonly detector: string
  readonly detector_version: number
  readonly detector_hash: string | null
  readonly at_s: number
  readonly mint_age_s: number | null
  readonly evidence: string
  readonly events: readonly string[]
  readonly is_deleted: number
}

/** Tables of findings of mints and of curves, by key length in bytes. */
const TABLES: Readonly<Record<number, { readonly table: string; readonly mint: string; readonly number: string; readonly age: string }>> = {
  [BASE58_KEYS.bytes]: { table: 'flags_log', mint: 'mint', number: 'slot', age: 'mint_age_s' },
  [HEX_KEYS.bytes]: { table: 'alt_flags_log', mint: 'token', number: 'block', age: 'age_s' },
}

/** The newest row: a restored branch revives the id. Uses the primary key, mint and slot. @throws EngineError */
export const readFinding = async (
  { database, rows }: Pick<HistoryClient, 'database' | 'rows'>,
  { id, mint, number }: FindingKey,
): Promise<KeptFinding | null> => {
  const names = TABLES[mint.length]
  if (names === undefined) return null
  // EVM addresses are stored in lower case.
  const key = mint.length === HEX_KEYS.bytes ? keyText(mint).toLowerCase() : keyText(mint)
  const [row] = await rows<FindingRow>(
    `SELECT flag, detector, detector_version, detector_hash, toUnixTimestamp(at) AS at_s, ${names.age} AS mint_age_s, evidence, events,
       is_deleted
     FROM ${database}.${names.table} WHERE ${names.mint} = {mint:String} AND ${names.number} = {number:UInt64} AND id = {id:String}
     ORDER BY version DESC LIMIT 1`,
    { mint: key, number, id },
  )
  if (row === undefined) return null
  return {
    flag: row.flag,
    detector: row.detector,
    detectorVersion: row.detector_version,
    detectorHash: row.detector_hash,
    at: row.at_s,
    mintAgeS: row.mint_age_s,
    evidence: row.evidence,
    events: row.events,
    isRetracted: row.is_deleted === 1,
  }
}
