// Values of a row of the history, as an event has them.

import type { CurveEvent } from '../../../processors/verify/curve-check.ts'
import type { ReserveEvent } from '../../../processors/verify/reserve-events.ts'
import type { Amount } from '../../../schemas/amount.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { WireRow } from '../../history/rows/row-reader.ts'

/** So much of an event as the check of its reserves looks at. */
type HeldEvent = ReserveEvent | CurveEvent
/** By the name of the table; undefined for a row of an event that moves no reserves. */
export type HeldEvents = ReadonlyMap<string, (row: WireRow) => HeldEvent | undefined>

export const keyIn = (row: WireRow, name: string): Key => String(row.value(name)) as Key
export const keyOrNull = (row: WireRow, name: string): Key | null => (row.value(name) === null ? null : keyIn(row, name))
const numberIn = (row: WireRow, name: string): number => Number(row.value(name))
export const numberOrNull = (row: WireRow, name: string): number | null => (row.value(name) === null ? null : numberIn(row, name))
export const isSo = (row: WireRow, name: string): boolean => row.value(name) === true
/** Of a column that has all of it. */
export const amountIn = (row: WireRow, name: string): Amount => row.value(name) as Amount
export const amountOrNull = (row: WireRow, name: string): Amount | null => row.value(name) as Amount | null
