// The queries behind the grades of odds and their track record (views: deploy/clickhouse).
import { ODDS_HEADS, type OddsHead } from '../../../processors/odds/heads.ts'
import type { CachedResult } from '../../ports/history.ts'
import {
  type CallDay,
  type HeadGrades,
  ODDS_CALLS,
  type OddsCall,
  type OddsGrades,
  type OddsScores,
  type PartScores,
  type TrackRecord,
} from '../../ports/odds-history.ts'
import type { HistoryClient } from '../client.ts'

type Asks = Pick<HistoryClient, 'database' | 'rows'>

const NOTHING_YET = 'the history has graded no odds yet'
const BIN_WIDTH = 0.1
/** 31 days, regimes, models and the total, for two heads. */
const PARTS_MAX = 1_000
/** More than three years. */
const CALL_DAYS_MAX = 4_000

interface GradeRow {
  readonly head: OddsHead
  readonly part: 'all' | 'day' | 'regime' | 'model'
  readonly value: string
  readonly n: number
  readonly hits: number
  readonly mean_p: number
  readonly brier: number
  readonly brier_skill: number | null
  readonly ece: number
  readonly pr_auc: number | null
  /** Tenth, values, hits, mean probability. */
  readonly bins: readonly (readonly [number, number, number, number])[]
  readonly as_of_s: number
}

/** @throws EngineError */
export const readOddsGrades = async ({ database, rows }: Asks): Promise<CachedResult<OddsGrades>> => {
  const found = await rows<GradeRow>(
    `SELECT head, part, value, n, hits, mean_p, brier, brier_skill, ece, pr_auc,
       arrayMap(b -> (b.1, b.2, b.3, b.4), bins) AS bins, toUnixTimestamp(as_of) AS as_of_s
     FROM ${database}.odds_calibration ORDER BY head, part, value DESC LIMIT ${PARTS_MAX}`,
  )
  const [first] = found
  if (first === undefined) return { ok: false, reason: NOTHING_YET }
  const gradesOf = (head: OddsHead): HeadGrades => headGrades(found.filter((row) => row.head === head))
  return { ok: true, value: byHead(gradesOf), asOf: first.as_of_s }
}

const byHead = (of: (head: OddsHead) => HeadGrades): OddsGrades =>
  Object.fromEntries(ODDS_HEADS.map((head) => [head, of(head)])) as OddsGrades

const headGrades = (rows: readonly GradeRow[]): HeadGrades => {
  const all = rows.find(({ part }) => part === 'all')
  const parts = (part: GradeRow['part']): readonly PartScores[] =>
    rows.filter((row) => row.part === part).map((row) => ({ part: row.value, ...toScores(row) }))
  return {
    all: all === undefined ? null : { ...toScores(all), bins: all.bins.map(toBin) },
    days: parts('day'),
    regimes: parts('regime'),
    models: parts('model'),
  }
}

const toScores = (row: GradeRow): OddsScores => ({
  ...{ n: row.n, hits: row.hits, meanP: row.mean_p },
  ...{ brier: row.brier, brierSkill: row.brier_skill, ece: row.ece, prAuc: row.pr_auc },
})
const toBin = ([tenth, n, hits, meanP]: GradeRow['bins'][number]) => ({
  ...{ from: tenth * BIN_WIDTH, to: (tenth + 1) * BIN_WIDTH },
  ...{ n, hits, meanP },
})

interface CallRow {
  readonly day: string
  readonly call: OddsCall
  readonly launches: number
  readonly unresolved: number
  readonly positives: number
  readonly calls: number
  readonly hits: number
  readonly lead_p50_s: number | null
  readonly as_of_s: number
}

/** Every graded day. @throws EngineError */
export const readTrackRecord = async ({ database, rows }: Asks): Promise<CachedResult<TrackRecord>> => {
  const found = await rows<CallRow>(
    `SELECT toString(day) AS day, call, launches, unresolved, positives, calls, hits, lead_p50_s, toUnixTimestamp(as_of) AS as_of_s
     FROM ${database}.odds_track_record ORDER BY day DESC LIMIT ${CALL_DAYS_MAX}`,
  )
  if (found.length === 0) return { ok: false, reason: NOTHING_YET }
  const daysOf = (call: OddsCall): readonly CallDay[] => found.filter((row) => row.call === call).map(toDay)
  const value = Object.fromEntries(ODDS_CALLS.map(({ call }) => [call, daysOf(call)])) as TrackRecord
  return { ok: true, value, asOf: Math.max(...found.map(({ as_of_s }) => as_of_s)) }
}

const toDay = ({ day, launches, unresolved, positives, calls, hits, lead_p50_s }: CallRow): CallDay => ({
  ...{ day, launches, unresolved, positives, calls, hits },
  leadP50S: lead_p50_s,
})
