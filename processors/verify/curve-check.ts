// Checks curves whose events state no reserves: compares each trade with the contract's formula at the reserves that follow from the
// earlier events.
import { printAmount } from '../../schemas/amount.ts'
import { type Key, keyText } from '../../schemas/keys.ts'
import { formatPosition, type Position } from '../../schemas/position.ts'
import type { AltBuyback, AltComplete, AltLaunch, AltSweep, AltTapeEvent, AltTrade } from '../../schemas/types.ts'
import {
  followsFrom,
  givenFor,
  isAllOf,
  type LaunchReserves,
  type MovedReserves,
  newReserves,
  takeBought,
  takeTrade,
} from '../curve/fold/reserves.ts'
import type { TapeFinding } from './finding.ts'
import { type KindCounts, newCounts, type ReserveCheck, type ReserveCounts } from './reserve-check.ts'
import { remember } from './reserve-events.ts'

type Moved = 'mint' | 'tokenUnits' | 'quoteUnits'
type LaunchPart = Pick<AltLaunch, 'type' | 'mint' | 'thresholdUnits' | 'virtualQuoteUnits' | 'supplyUnits'>
type TradePart = Pick<AltTrade, 'type' | 'isBuy' | Moved>
type BuybackPart = Pick<AltBuyback, 'type' | Moved>
type CompletePart = Pick<AltComplete, 'type' | Moved>
type SweepPart = Pick<AltSweep, 'type' | 'mint'>

type Moving = LaunchPart | TradePart | BuybackPart | CompletePart | SweepPart
/** The events of this chain's tape that are checked. */
export type CurveEvent = Moving | { readonly type: Exclude<AltTapeEvent['type'], Moving['type']> }

interface Curve {
  readonly launch: LaunchReserves
  readonly figures: MovedReserves
}

const TRADE_WORDS = 'the formula of the curve does not give these amounts: earlier trades of it are missing, or amounts were changed'
const COMPLETE_WORDS = 'the curve hands over other reserves than its events give: some are missing, or their amounts were changed'

/**
 * The check for the alt chain. After a trade or completion that does not match, a curve is no longer checked: no later event shows its
 * reserves.
 */
export class CurveReserveCheck implements ReserveCheck {
  readonly counts: ReserveCounts = newCounts()
  readonly kinds = new Map<string, KindCounts>([['curve', { trades: 0, followed: 0 }]])
  /** By token; null where the reserves are unknown. */
  readonly #curves = new Map<Key, Curve | null>()

  event(event: CurveEvent, at: Position): readonly TapeFinding[] {
    switch (event.type) {
      case 'launch':
        this.#launch(event)
        return []
      case 'trade':
        return this.#trade(event, at)
      case 'buyback': {
        const curve = this.#curves.get(event.mint)
        if (curve) takeBought(curve.figures, event)
        return []
      }
      case 'complete':
        return this.#complete(event, at)
      case 'sweep':
        remember(this.#curves, event.mint, null)
        return []
      default:
        return []
    }
  }

  #launch(launch: LaunchPart): void {
    this.counts.launches++
    if (!this.#curves.has(launch.mint)) remember(this.#curves, launch.mint, newReserves(launch))
  }
  #trade(trade: TradePart, at: Position): TapeFinding[] {
    this.counts.trades++
    const curve = this.#curves.get(trade.mint)
    if (curve === undefined) this.counts.withoutLaunch++
    remember(this.#curves, trade.mint, curve ?? null)
    this.#count(curve !== undefined && curve !== null)
    if (!curve) return []
    const { launch, figures } = curve
    if (followsFrom(launch, figures, trade)) {
      takeTrade(figures, trade)
      return []
    }
    const given = givenFor(launch, figures, trade)
    return [
      this.#lost(
        trade,
        at,
        given === undefined ? [] : [printAmount(given)],
        [trade.isBuy ? trade.tokenUnits : trade.quoteUnits],
        TRADE_WORDS,
      ),
    ]
  }
  #count(isFollowed: boolean): void {
    const kind = this.kinds.get('curve') as KindCounts
    kind.trades++
    if (!isFollowed) return
    kind.followed++
    this.counts.checked++
  }
  #complete(complete: CompletePart, at: Position): TapeFinding[] {
    const curve = this.#curves.get(complete.mint)
    const { quoteUnits, tokenUnits } = complete
    if (!curve || isAllOf(curve.figures, complete)) {
      remember(this.#curves, complete.mint, null)
      return []
    }
    const { figures } = curve
    const expected = [figures.realQuoteUnits, figures.tokenUnits].map(printAmount)
    return [this.#lost(complete, at, expected, [quoteUnits, tokenUnits], COMPLETE_WORDS)]
  }
  #lost(
    { mint }: Pick<TradePart, 'mint'>,
    at: Position,
    expected: readonly (string | number)[],
    found: readonly Parameters<typeof printAmount>[0][],
    words: string,
  ): TapeFinding {
    remember(this.#curves, mint, null)
    return { finding: 'reserves', position: formatPosition(at), mint: keyText(mint), expected, found: found.map(printAmount), words }
  }
}
