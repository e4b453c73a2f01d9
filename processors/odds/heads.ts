// What the odds predict: two heads, judged at fixed ages.
import type { Odds } from '../../schemas/types.ts'

/** `rug_within_300s`: rugged at most 300 s after the launch. `true_graduation`: the curve was witnessed at 84 SOL. */
export type OddsHead = Odds['head']

/** The heads, in the order of the contract. */
export const ODDS_HEADS = ['rug_within_300s', 'true_graduation'] as const satisfies readonly OddsHead[]

/** Ages at which a launch is judged, seconds. */
export const JUDGED_AGES_S = [5, 10, 20, 30, 60, 120, 240, 480, 900] as const

/** The rug head is judged up to this age, seconds. */
export const RUG_AGE_S_MAX = 30
/** Minimum buys for the graduation head. */
export const GRADUATION_BUYS_MIN = 5
/** A rug counts if it happened at most this long after the launch, seconds. */
export const RUG_HORIZON_S = 300
