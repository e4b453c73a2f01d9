// The events that move reserves, reduced to the fields that the check uses.
import type { Amount } from '../../schemas/amount.ts'
import type { TapeEvent } from '../../schemas/types.ts'

type Part<Type extends TapeEvent['type'], Field extends keyof Extract<TapeEvent, { type: Type }>> = Pick<
  Extract<TapeEvent, { type: Type }>,
  'type' | Field
>
export type LaunchPart = Part<'launch', 'mint' | 'mayhem' | 'quoteMint' | 'virtualQuoteUnits' | 'virtualTokenUnits'>
export type TradePart = Part<
  'trade',
  | 'mint'
  | 'isBuy'
  | 'isAgent'
  | 'mayhem'
  | 'quoteMint'
  | 'tokenUnits'
  | 'quoteUnits'
  | 'virtualQuoteUnits'
  | 'virtualTokenUnits'
  | 'realQuoteUnits'
>
export type MayhemReservesPart = Part<'mayhemReserves', 'mint' | 'virtualQuoteUnits' | 'virtualTokenUnits' | 'realQuoteUnits'>
export type PostCompleteBuyPart = Part<'postCompleteBuy', 'mint' | 'poolTokenUnitsAfter' | 'poolQuoteUnitsAfter'>
export type MigratePart = Part<'migrate', 'mint' | 'pool'>
export type PoolCreatePart = Part<'poolCreate', 'pool' | 'coinIsBase' | 'tokenUnits' | 'quoteUnits'>
export type PoolBoostPart = Part<'poolBoost', 'pool' | 'virtualQuoteUnits' | 'realQuoteUnitsAfter'>
export type PoolTradePart = Part<
  'poolTrade',
  | 'mint'
  | 'pool'
  | 'isBuy'
  | 'coinIsBase'
  | 'tokenUnits'
  | 'quoteUnits'
  | 'poolTokenUnits'
  | 'poolQuoteUnits'
  | 'virtualQuoteUnits'
  | 'poolFeeUnits'
>
export type PoolLiquidityPart = Part<
  'poolLiquidity',
  'mint' | 'pool' | 'isDeposit' | 'coinIsBase' | 'tokenUnits' | 'quoteUnits' | 'poolTokenUnits' | 'poolQuoteUnits'
>

export type ReserveEvent =
  | LaunchPart
  | TradePart
  | MayhemReservesPart
  | PostCompleteBuyPart
  | MigratePart
  | PoolCreatePart
  | PoolBoostPart
  | PoolTradePart
  | PoolLiquidityPart

/** Expected numbers, and the numbers found, in the same order. */
interface Mismatch {
  readonly expected: readonly Amount[]
  readonly found: readonly Amount[]
}

/** An event compared with the previous one of the same curve or pool; `isFollowed` is false where nothing was known before it. */
export interface Followed {
  readonly isFollowed: boolean
  readonly mismatch: Mismatch | undefined
}

/** Compares the pairs whose sides are both known. */
export const compared = (pairs: readonly (readonly [expected: Amount | null, found: Amount | null])[]): Followed => {
  const known = pairs.filter((pair): pair is readonly [Amount, Amount] => pair[0] !== null && pair[1] !== null)
  const [expected, found] = [known.map(([first]) => first), known.map(([, second]) => second)]
  const isFollowed = known.length > 0
  return { isFollowed, mismatch: known.some(([first, second]) => first !== second) ? { expected, found } : undefined }
}

/**
 * Maximum number of curves and pools that are tracked: a day has 36,000 launches. After one is dropped, its next event counts as its first.
 */
const REMEMBERED_MAX = 500_000

/** Moves the key to the end; drops the first when there are too many. */
export const remember = <Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void => {
  map.delete(key)
  map.set(key, value)
  if (map.size <= REMEMBERED_MAX) return
  for (const oldest of map.keys()) {
    map.delete(oldest)
    return
  }
}
