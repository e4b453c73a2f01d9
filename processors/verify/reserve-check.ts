// The interface between a chain's check of reserves and the check of a whole tape.

import type { Position } from '../../schemas/position.ts'
import type { ChainEvent } from '../../schemas/record-forms.ts'
import type { TapeFinding } from './finding.ts'

export interface KindCounts {
  trades: number
  /** Trades that were compared with the reserves before them. */
  followed: number
}

export interface ReserveCounts {
  trades: number
  /** Trades whose formula or predecessor could be checked. */
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
  /** Trades by kind. */
  readonly kinds: ReadonlyMap<string, KindCounts>
  /** Checks an event of this chain after those before it; returns what is wrong with it. */
  event(event: Pick<ChainEvent, 'type'>, at: Position): readonly TapeFinding[]
}
