// Converts integers to JSON numbers, at the edge: one division each, so no sums of floats cause artefacts.
import type { Amount } from '../../../schemas/amount.ts'
import { LAMPORTS_PER_SOL, UNITS_PER_TOKEN } from '../thresholds.ts'

/** SOL from lamports. */
export const solOf = (lamports: Amount): number => Number(lamports) / LAMPORTS_PER_SOL
/** Coins from base units (6 decimals). */
export const tokensOf = (units: Amount): number => Number(units) / UNITS_PER_TOKEN
/** A fraction of a whole; 0 where the whole is 0. */
export const shareOf = (part: Amount, whole: Amount): number => (whole === 0 ? 0 : Number(part) / Number(whole))
