// A history's data about odds, as tests set it: grades, a track record, and values under the root of their hour, with valid proofs.
import { type Key, keyText } from '../../schemas/keys.ts'
import { hourOf } from '../../topology/history/odds/hour.ts'
import { leafOf, lineOf, proofOf, topOf } from '../../topology/history/odds/tree.ts'
import type { CachedResult, QueryResult, Unanswered } from '../../topology/ports/history.ts'
import {
  type CallDay,
  type HeadGrades,
  HOUR_S,
  type LoggedValue,
  type MintOdds,
  type OddsGrades,
  type OddsHistory,
  type OddsKey,
  type OddsLedger,
  type OddsProof,
  ROOT_WAIT_S,
  type TrackRecord,
} from '../../topology/ports/odds-history.ts'
import { base58, NOW_S } from '../unit/query-api/given-mint.ts'

const SCORES = { n: 40_000, hits: 16_000, meanP: 0.41, brier: 0.12, brierSkill: 0.5, ece: 0.011, prAuc: 0.83 }
const GRADES: HeadGrades = {
  all: {
    ...SCORES,
    bins: [
      { from: 0, to: 0.1, n: 20_000, hits: 1_000, meanP: 0.049 },
      { from: 0.7, to: 0.8, n: 20_000, hits: 15_000, meanP: 0.751 },
    ],
  },
  days: [
    { part: '2026-03-02', ...SCORES, n: 20_000, hits: 0, brierSkill: null, prAuc: null },
    { part: '2026-03-01', ...SCORES },
  ],
  regimes: [{ part: '1000_to_2000', ...SCORES }],
  models: [{ part: '00112233aabbccdd', ...SCORES }],
}
const GRADED: OddsGrades = {
  rug_within_300s: GRADES,
  true_graduation: { all: null, days: [], regimes: [], models: [] },
}

const day = (date: string, calls: number, hits: number): CallDay => ({
  ...{ day: date, launches: 1_000, unresolved: 40, positives: 300, calls, hits },
  leadP50S: hits === 0 ? null : 44,
})
export const RECORD: TrackRecord = {
  rug_80: [day('2026-03-02', 100, 90), day('2026-03-01', 10, 2)],
  rug_50: [day('2026-03-02', 200, 150), day('2026-03-01', 20, 0)],
  graduation_50: [day('2026-03-02', 0, 0)],
}

/** A value of an hour that is over. */
export const oddsValue = (change: Partial<LoggedValue> = {}): LoggedValue => {
  const [mint, head, model] = [change.mint ?? base58(77), change.head ?? 'rug_within_300s', change.model ?? '00112233aabbccdd']
  return {
    id: `solana:1000.~@0badcafe:odds:${mint}:${head}:${model}`,
    ...{ mint, head, model, ageS: 10, t0: NOW_S - 2 * HOUR_S - 10, ppm: 812_345 },
    ...{ inputsHash: 'ab'.repeat(32), at: NOW_S - 2 * HOUR_S, isShadow: false },
    ...change,
  }
}

export class SetOddsHistory implements OddsHistory {
  grades: CachedResult<OddsGrades> = { ok: true, value: GRADED, asOf: NOW_S - 20 }
  record: CachedResult<TrackRecord> = { ok: true, value: RECORD, asOf: NOW_S - 20 }
  /** Every value that was logged. */
  readonly values: MintOdds[] = [{ ...oddsValue(), isRetracted: false }]
  /** Values that came after the root of their hour was made. */
  readonly late = new Set<string>()
  /** If set, the history is unavailable with this reason. */
  awayReason: string | null = null
  /** Set together with `awayReason` if the history answers other queries. */
  isBusy = false
  /** Queries about wallets, launches, findings and odds, and for its availability. */
  readonly asked: string[] = []

  oddsGrades(): CachedResult<OddsGrades> {
    return this.grades
  }
  trackRecord(): CachedResult<TrackRecord> {
    return this.record
  }
  oddsLedger(): CachedResult<OddsLedger> {
    const [value] = this.values
    if (value === undefined) return { ok: false, reason: 'no hour with logged odds is over yet' }
    const { root } = this.#hourOf(value)
    return { ok: true, value: { newest: [root], hours: 9, changedHours: 1, exampleId: value.id }, asOf: NOW_S - 20 }
  }
  unavailable(): Unanswered | null {
    if (this.awayReason === null) return null
    return { ok: false, reason: this.awayReason, ...(this.isBusy && { isBusy: true }) }
  }
  async oddsOf(mint: Key): Promise<QueryResult<readonly MintOdds[]>> {
    this.asked.push('odds')
    const away = this.unavailable()
    if (away !== null) return away
    return { ok: true, value: this.values.filter((value) => value.mint === keyText(mint)) }
  }
  async oddsProof({ id }: OddsKey): Promise<QueryResult<OddsProof | null>> {
    this.asked.push('proof')
    const away = this.unavailable()
    if (away !== null) return away
    const found = this.values.find((value) => value.id === id)
    return { ok: true, value: found === undefined ? null : this.#proofOf(found) }
  }

  #proofOf({ isRetracted, ...value }: MintOdds): OddsProof {
    const line = lineOf(value)
    const found = { value, isRetracted, line, leaf: leafOf(line) }
    const { root, leaves } = this.#hourOf(value)
    if (root.hour + HOUR_S + ROOT_WAIT_S > NOW_S) return { ...found, state: 'open' }
    const index = leaves.indexOf(found.leaf)
    const madeAt = root.hour + HOUR_S + ROOT_WAIT_S
    if (index < 0) return { ...found, state: 'left_out', root, madeAt }
    return { ...found, state: 'proven', root, madeAt, proof: proofOf(leaves, index, [topOf(leaves)], 0) }
  }
  #hourOf({ at }: LoggedValue) {
    const hour = Math.floor(at / HOUR_S) * HOUR_S
    const within = this.values.filter((value) => value.at >= hour && value.at < hour + HOUR_S && !this.late.has(value.id))
    const leaves = within.map((value) => leafOf(lineOf(value)))
    const { n, root } = hourOf(hour, leaves.length === 0 ? [] : [{ firstId: '', top: topOf(leaves), leaves }])
    return { root: { hour, n, root }, leaves }
  }
}
