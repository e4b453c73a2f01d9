// The SETTINGS clause of a query: rejects settings that would lift its limits or reach outside the history.
import { type Piece, piecesOf } from './tables/statements.ts'

/** Always rejected: settings that name files or addresses for formats, cause partial results or change rights. */
const NEVER = new RegExp(
  [
    /^(readonly|profile|(output_)?format_schema\w*|format_template_row|format_template_resultset)$/,
    /^(format_avro_schema_registry_url|(timeout|result)_overflow_mode)$/,
  ]
    .map(({ source }) => source)
    .join('|'),
)
/** Rejected in a query with limits. */
const LIFTING = /^(max_memory_usage_for_user|max_untracked_memory|memory_overcommit_ratio_denominator\w*)$/

/** Upper limit per setting. */
export type Limits = Readonly<Record<string, number>>

interface Pair {
  readonly name: string
  /** Null if it is not a single number. */
  readonly value: number | null
}

/** Why a setting of the query is rejected; undefined if none is. @param limits null: limited settings may have any value */
export const refusedSetting = (sql: string, limits: Limits | null): string | undefined => {
  for (const { name, value } of pairsOf(sql)) {
    if (/^[`"]/.test(name)) return `SETTINGS ${name}: write the name of a setting without quotes`
    if (NEVER.test(name)) return `SETTINGS ${name} is not allowed here`
    if (limits === null) continue
    if (LIFTING.test(name)) return `SETTINGS ${name} is not allowed within the limits (--unlimited lifts them)`
    const most = limits[name]
    if (most === undefined || (value !== null && value >= 1 && value <= most)) continue
    return `SETTINGS ${name} must be a number from 1 to ${most} (--unlimited lifts the limits)`
  }
  return undefined
}

/** Pairs of every SETTINGS clause, including those of subqueries. */
function* pairsOf(sql: string): Generator<Pair> {
  const pieces = [...piecesOf(sql)].filter(({ kind }) => kind !== 'gap')
  let isInside = false
  for (const [at, { kind, text }] of pieces.entries()) {
    if (pieces[at + 1]?.text !== '=' || kind !== 'name') continue
    const before = pieces[at - 1]
    const begins = before?.kind === 'name' && before.text.toUpperCase() === 'SETTINGS'
    isInside ||= begins
    if (begins || (isInside && before?.text === ',')) yield { name: text, value: numberOf(pieces[at + 2], pieces[at + 3]) }
  }
}

const numberOf = (piece: Piece | undefined, after: Piece | undefined): number | null =>
  piece !== undefined && /^\d{1,15}$/.test(piece.text) && after?.text !== '.' ? Number(piece.text) : null
