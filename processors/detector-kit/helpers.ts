// Helpers for detectors in files of your own: constants, and pure functions from primitives and rows to primitives.
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

/** Raise it when a helper's answer changes: part of the hash of every detector file. */
export const HELPERS_VERSION = 1

/** True while the curve accepts trades: takes a mint's curve row, or a curve's figures. */
export const isOpen = (row: Readonly<CurveRow> | Readonly<CurveFiguresRow>): boolean =>
  'completeNumber' in row ? isFiguresOpen(row) : isMintOpen(row)
