// Helpers for detectors in files of one's own: pure functions of primitives and rows that give primitives, and constants.
import type { CurveFiguresRow, CurveRow } from '../../schemas/types.ts'
import { isOpen as isFiguresOpen } from '../curve/rows.ts'
import { isOpen as isMintOpen } from '../mint/rows.ts'

export { add, compareAmounts, greaterOf, lesserOf, subtract, times } from '../../schemas/amount.ts'
export { keyText, signatureText } from '../../schemas/keys.ts'
export { comparePositions, formatPosition, isTick } from '../../schemas/position.ts'
export { inNative, inTokens } from '../curve/card/amounts.ts'
export { notNativeOf } from '../curve/card/nulls.ts'
export { isNative } from '../curve/rows.ts'
export { shareOf, solOf, tokensOf } from '../mint/card/amounts.ts'
export { notInSol } from '../mint/card/nulls.ts'
export { isAtMostPercent } from '../mint/fold/reserves.ts'
export { isDev } from '../mint/rows.ts'
export { GRADUATION_LAMPORTS, LAMPORTS_PER_SOL, UNITS_PER_TOKEN } from '../mint/thresholds.ts'

/** Moves when a helper gives another answer: part of the hash of every detector file. */
export const HELPERS_VERSION = 1

/** True while the curve takes trades: of the curve row of a mint, or the figures of a curve. */
export const isOpen = (row: Readonly<CurveRow> | Readonly<CurveFiguresRow>): boolean =>
  'completeNumber' in row ? isFiguresOpen(row) : isMintOpen(row)
