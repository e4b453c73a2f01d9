// What a chain's check of its reserves is to the check of a whole tape.

import type { Position } from '../../schemas/position.ts'
import type { ChainEvent } from '../../schemas/record-forms.ts'
import type { TapeFinding } from './finding.ts'

export interface KindCounts {
  trades: number
  /** Those that were held against what was there before them. */
  followed: number
}

export interface ReserveCounts {
  trades: number
  /** Trades whose arithmetic or predecessor could be checked. */
  checked: number
  poolTrades: number
  poolChecked: number
  launches: number
  /** Curves whose first trade came without the launch. */
  withoutLaunch: number
}

export const newCounts = (): ReserveCounts => ({ trades: 0, checked: 0, poolTrades: 0, poolChecked: 0, launches: 0, withoutLaunch: 0 })

/** Checks the events of one chain in order. */
export interface ReserveCheck {
  readonly counts: ReserveCounts
  /** Trades by what they are of. */
  readonly kinds: ReadonlyMap<string, KindCounts>
  /** What is wrong with the event, which is of this chain, after those before it. */
  event(event: Pick<ChainEvent, 'type'>, at: Position): readonly TapeFinding[]
}
