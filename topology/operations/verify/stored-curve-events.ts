// Converts rows of the history to events, for the chain whose launches are curves (the alt chain).
import type { CurveEvent } from '../../../processors/verify/curve-check.ts'
import { CURVE_EVENT_TABLES } from '../../history/rows/curve-events.ts'
import type { WireRow } from '../../history/rows/row-reader.ts'
import { amountIn, amountOrNull, booleanIn, keyIn, type StoredEvents } from './stored-values.ts'

const moved = (row: WireRow) => ({
  mint: keyIn(row, 'token'),
  tokenUnits: amountIn(row, 'token_units'),
  quoteUnits: amountIn(row, 'quote_units'),
})
const SWEEPS: ReadonlySet<unknown> = new Set(['LaunchSwept', 'LaunchForceSwept'])

/** By event type; other events move no reserves. */
const EVENTS = {
  launch: (row: WireRow): CurveEvent => ({
    type: 'launch',
    mint: keyIn(row, 'token'),
    thresholdUnits: amountIn(row, 'threshold_units'),
    virtualQuoteUnits: amountIn(row, 'virtual_quote_units'),
    supplyUnits: amountOrNull(row, 'supply_units'),
  }),
  trade: (row: WireRow): CurveEvent => ({ type: 'trade', isBuy: booleanIn(row, 'is_buy'), ...moved(row) }),
  buyback: (row: WireRow): CurveEvent => ({ type: 'buyback', ...moved(row) }),
  complete: (row: WireRow): CurveEvent => ({ type: 'complete', ...moved(row) }),
  sweep: (row: WireRow): CurveEvent | undefined =>
    SWEEPS.has(row.value('kind')) ? { type: 'sweep', mint: keyIn(row, 'token') } : undefined,
}

export const STORED_CURVE_EVENTS: StoredEvents = new Map(
  Object.entries(EVENTS).map(([type, read]) => [CURVE_EVENT_TABLES[type as keyof typeof EVENTS].name, read]),
)
