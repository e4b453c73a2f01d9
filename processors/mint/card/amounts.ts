// Integers to JSON numbers, at the edge: one division each, so that no float sums leave artefacts.
import { LAMPORTS_PER_SOL, UNITS_PER_TOKEN } from '../thresholds.ts'

/** SOL from lamports. */
export const solOf = (lamports: number): number => lamports / LAMPORTS_PER_SOL
/** Coins from base units (6 decimals). */
export const tokensOf = (units: number): number => units / UNITS_PER_TOKEN
/** A fraction of a whole; 0 of an empty whole. */
export const shareOf = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)
