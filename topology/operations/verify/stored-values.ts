// Values of a row of the history, with the types that an event has.

import type { CurveEvent } from '../../../processors/verify/curve-check.ts'
import type { ReserveEvent } from '../../../processors/verify/reserve-events.ts'
import type { Amount } from '../../../schemas/amount.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { WireRow } from '../../history/rows/row-reader.ts'

/** The fields of an event that the reserve check reads. */
type StoredEvent = ReserveEvent | CurveEvent
/** By table name; undefined for a row of an event that moves no reserves. */
export type StoredEvents = ReadonlyMap<string, (row: WireRow) => StoredEvent | undefined>

export const keyIn = (row: WireRow, name: string): Key => String(row.value(name)) as Key
export const keyOrNull = (row: WireRow, name: string): Key | null => (row.value(name) === null ? null : keyIn(row, name))
const numberIn = (row: WireRow, name: string): number => Number(row.value(name))
export const numberOrNull = (row: WireRow, name: string): number | null => (row.value(name) === null ? null : numberIn(row, name))
export const booleanIn = (row: WireRow, name: string): boolean => row.value(name) === true
/** For a column that holds the whole amount. */
export const amountIn = (row: WireRow, name: string): Amount => row.value(name) as Amount
export const amountOrNull = (row: WireRow, name: string): Amount | null => row.value(name) as Amount | null
