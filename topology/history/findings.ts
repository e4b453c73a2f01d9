// One finding as history keeps it: what forks and rebuilds took back stays readable as such.
import { keyText } from '../../schemas/keys.ts'
import type { FindingPlace, KeptFinding } from '../ports/history.ts'
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

/** Its newest row: a branch that came back revives the id. Reads by the table's order, mint and slot. @throws EngineError */
export const readFinding = async (
  { database, rows }: Pick<HistoryClient, 'database' | 'rows'>,
  { id, mint, number }: FindingPlace,
): Promise<KeptFinding | null> => {
  const [row] = await rows<FindingRow>(
    `SELECT flag, detector, detector_version, detector_hash, toUnixTimestamp(at) AS at_s, mint_age_s, evidence, events, is_deleted
     FROM ${database}.flags_log WHERE mint = {mint:String} AND slot = {slot:UInt64} AND id = {id:String} ORDER BY version DESC LIMIT 1`,
    { mint: keyText(mint), slot: number, id },
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
