// The rows that the detectors of each processor read: a finding is explained with them.
import { CURVE } from '../../../processors/curve/rows.ts'
import { NATIVE_DECIMALS, TOKEN_DECIMALS } from '../../../processors/curve/thresholds.ts'
import { MINT } from '../../../processors/mint/rows.ts'
import { LAMPORTS_PER_SOL, UNITS_PER_TOKEN } from '../../../processors/mint/thresholds.ts'
import type { CurveFiguresRow, CurveLaunchRow, CurveRow } from '../../../schemas/types.ts'
import type { Row, Units } from './print-rows.ts'
import type { RowsNow } from './witness.ts'

/** Rows by display name; null where there is none. */
export type SeenRows = Readonly<Record<string, Row | null>>

export interface Subject {
  /** The processor that runs the detectors. */
  readonly processor: string
  /** The rows that the detectors read, by name; the kind of each is `kindOf(name)`. */
  see(rows: RowsNow): SeenRows
  kindOf(name: string): string
  /** The units of their amounts. */
  unitsOf(seen: SeenRows): Omit<Units, 'chain'>
}

const digits = (units: number): number => Math.round(Math.log10(units))
const rowOf = (rows: RowsNow, kind: string, id?: string): Row | null => (rows.read(kind, id) as Row | undefined) ?? null

const MINTS: Subject = {
  processor: MINT,
  see: (rows) => {
    const curve = rowOf(rows, 'curve')
    const pool = (curve as CurveRow | null)?.pool ?? null
    return { launch: rowOf(rows, 'launch'), curve, pool: pool === null ? null : rowOf(rows, 'pools', pool) }
  },
  kindOf: (name) => (name === 'pool' ? 'pools' : name),
  unitsOf: ({ curve }) => ({
    quote: (curve as CurveRow | null)?.quoteMint == null ? { symbol: 'SOL', decimals: digits(LAMPORTS_PER_SOL) } : null,
    tokenDecimals: digits(UNITS_PER_TOKEN),
  }),
}

const quoteOfCurve = ({ quoteMint, quoteDecimals }: Pick<CurveLaunchRow, 'quoteMint' | 'quoteDecimals'>): Units['quote'] => {
  if (quoteMint === null) return { symbol: 'ETH', decimals: NATIVE_DECIMALS }
  return quoteDecimals === null ? null : { symbol: 'quote', decimals: quoteDecimals }
}
const CURVES: Subject = {
  processor: CURVE,
  see: (rows) => ({ launch: rowOf(rows, 'launch'), curve: rowOf(rows, 'figures') as (CurveFiguresRow & Row) | null }),
  kindOf: (name) => (name === 'curve' ? 'figures' : name),
  unitsOf: ({ launch }) => ({ quote: launch === null ? null : quoteOfCurve(launch as never), tokenDecimals: TOKEN_DECIMALS }),
}

/** The subject of a processor; undefined for processors without detectors. */
export const subjectOf = (processor: string): Subject | undefined => [MINTS, CURVES].find((one) => one.processor === processor)
