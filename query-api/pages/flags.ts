// Flags as people read them: which, how much was measured, and whether that is grave.
import { percent, sol } from './figures.ts'

/** A sale of at least this share of the supply is shown as grave, and so is a curve or pool that was drained. */
export const GRAVE_SHARE = 0.05

type Evidence = Readonly<Record<string, unknown>>

const figure = (evidence: Evidence, name: string): number | null => {
  const value = evidence[name]
  return typeof value === 'number' ? value : null
}
const shareSold = (evidence: Evidence): number | null => figure(evidence, 'tokens_share') ?? figure(evidence, 'sold_share')

/** How much of `from` was gone. */
const lost = (evidence: Evidence, from: string, to: string): string => {
  const [before, after] = [figure(evidence, from), figure(evidence, to)]
  return before === null || after === null || before <= 0 ? '' : `lost ${percent(1 - after / before)}`
}
const sold = (evidence: Evidence): string => {
  const share = shareSold(evidence)
  return share === null ? '' : `${percent(share)} of supply`
}
const peak = (evidence: Evidence): string => {
  const most = figure(evidence, 'peak_rs')
  return most === null ? '' : `at most ${sol(most)} SOL`
}

const MEASURES: Readonly<Record<string, (evidence: Evidence) => string>> = {
  creator_sold: sold,
  bundle_dumped: sold,
  curve_drained: (evidence) => lost(evidence, 'peak_rs', 'rs'),
  pool_drained: (evidence) => lost(evidence, 'opening_quote', 'quote'),
  curve_closed_low: peak,
  migrate_below_grad: peak,
}
const DRAINED: ReadonlySet<string> = new Set(['curve_drained', 'pool_drained'])

/** What the evidence says in figures; empty where it has none. */
export const measureOf = (flag: string, evidence: Evidence): string => MEASURES[flag]?.(evidence) ?? ''

export const isGrave = (flag: string, evidence: Evidence): boolean => DRAINED.has(flag) || (shareSold(evidence) ?? 0) >= GRAVE_SHARE
