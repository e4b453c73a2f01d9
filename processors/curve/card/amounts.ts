// Converts exact integers to the JSON numbers of answers: each is the number nearest to the exact decimal.
import type { Amount } from '../../../schemas/amount.ts'
import { NATIVE_DECIMALS, TOKEN_DECIMALS } from '../thresholds.ts'

/** Base units to whole units of `decimals` digits. */
const unitsOf = (amount: Amount, decimals: number): number => Number(`${amount}e-${decimals}`)
/** Base units of the chain's native unit to whole units. */
export const inNative = (amount: Amount): number => unitsOf(amount, NATIVE_DECIMALS)
/** Base units to whole tokens. */
export const inTokens = (amount: Amount): number => unitsOf(amount, TOKEN_DECIMALS)

const RATIO_SCALE = 1_000_000_000_000n
/** a / b, cut off after 12 digits after the point; undefined where b is 0. */
export const ratioOf = (a: bigint, b: bigint): number | undefined => (b === 0n ? undefined : Number(`${(a * RATIO_SCALE) / b}e-12`))
