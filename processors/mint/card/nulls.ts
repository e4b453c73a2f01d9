// Why figures of a mint are null, in words.
import { keyText, mustKey } from '../../../schemas/keys.ts'
import type { CurveRow } from '../../../schemas/types.ts'

/** Wrapped SOL: what `quote_mint` says for curves paired with SOL. */
export const WRAPPED_SOL = mustKey('So11111111111111111111111111111111111111112')

export const NOT_MIGRATED = 'the curve has not migrated'
export const NO_RESERVES = 'the reserves of the curve are not known'
export const notSolOf = (curve: Readonly<CurveRow>): string =>
  `the curve is paired with ${keyText(curve.quoteMint ?? WRAPPED_SOL)}, not SOL`
export const noPoolOf = (curve: Readonly<CurveRow>): string =>
  curve.migratedAt === 0 ? NOT_MIGRATED : 'the opening of the pool was not seen'
/** Why a threshold in SOL does not apply; undefined where it does. */
export const notInSol = (curve: Readonly<CurveRow>): string | undefined =>
  curve.quoteMint === null ? undefined : `${notSolOf(curve)}: its threshold is in SOL`
