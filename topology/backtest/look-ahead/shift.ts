// Moves rows to other slots and dates: every slot by one constant, every time by another.
import type { FieldKind, Of } from '../../../processors/detector-kit/fields.ts'
import { type AnyRows, type Primitive, visitFields } from './rows.ts'

const WEEK_S = 604_800
const HOUR_S = 3_600
/** Longer than any run, and not a round number: a lookup by slot modulo a round number is detected too. */
const SHIFT_SLOTS = 97_000_003
const SEEDS = 100_003
/** About ten years. */
const SHIFT_WEEKS = 523
const WEEKS_BY_SEED = 50
/** Tried in this order: minutes and seconds change, the hour does not. */
const WITHIN_HOUR_S = [1_801, 1_013, 377, 61, 7].flatMap((seconds) => [seconds, -seconds])

/** How far rows are moved. */
export interface Shift {
  readonly slots: number
  /** Seconds: whole weeks, and a shift within the hour. */
  readonly weeksS: number
  readonly withinHourS: number
}

const fromSeed = (seed: number, count: number): number => Math.abs(seed) % count

/** Slots and whole weeks forward: hour, weekday and all differences are preserved. */
export const forward = (seed: number): Shift => ({
  slots: SHIFT_SLOTS + 2 * fromSeed(seed, SEEDS),
  weeksS: (SHIFT_WEEKS + fromSeed(seed, WEEKS_BY_SEED)) * WEEK_S,
  withinHourS: 0,
})

/** Backwards, as far as slots and times stay above 0, and by some minutes and seconds if each time stays in its hour. */
export const backward = (of: Of, rows: AnyRows, seed: number): Shift => {
  const { slots, weeksS } = forward(seed)
  const seen: Record<'slot' | 'time', number[]> = { slot: [], time: [] }
  visitFields(of, rows, (kind, value) => {
    if ((kind === 'slot' || kind === 'time') && isSet(kind, value)) seen[kind].push(value)
  })
  const [lowest, earliest] = [Math.min(slots, ...seen.slot), Math.min(...seen.time, weeksS * 2)]
  const within = WITHIN_HOUR_S.find((by) => seen.time.every((time) => Math.floor((time + by) / HOUR_S) === Math.floor(time / HOUR_S)))
  return {
    slots: -Math.max(0, Math.min(slots, lowest - 1)),
    weeksS: -WEEK_S * Math.max(0, Math.min(weeksS / WEEK_S, Math.floor((earliest - HOUR_S) / WEEK_S))),
    withinHourS: within ?? 0,
  }
}

/** -1 means no slot, 0 no time. */
const isSet = (kind: 'slot' | 'time', value: Primitive): value is number =>
  typeof value === 'number' && (kind === 'slot' ? value >= 0 : value > 0)

/** For `changeRows`. */
export const shifting =
  ({ slots, weeksS, withinHourS }: Shift) =>
  (kind: FieldKind, value: Primitive): Primitive => {
    if ((kind !== 'slot' && kind !== 'time') || !isSet(kind, value)) return value
    return kind === 'slot' ? value + slots : value + weeksS + withinHourS
  }

const DIGITS = /\d+/g
const MOMENT = /\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{3})?)?Z)?/g
/** Longer digit strings are neither a slot nor a time. */
const DIGITS_MAX = 15

/** True if a number of evidence is unchanged, or is a slot or time (seconds, milliseconds) that moved with the rows. */
export const isNumberShifted = (was: number, is: number, { slots, weeksS }: Shift): boolean =>
  is === was || is - was === slots || is - was === weeksS || is - was === weeksS * 1_000

/** Like `isNumberShifted`, for the numbers and ISO dates in a text. For shifts of whole weeks. */
export const isTextShifted = (was: string, is: string, shift: Shift): boolean => {
  const unshifted = is.replace(MOMENT, (moment) => movedBack(moment, shift.weeksS))
  const [digitsWas, digitsIs] = [was, unshifted].map((text) => text.match(DIGITS) ?? [])
  if (was.replace(DIGITS, '#') !== unshifted.replace(DIGITS, '#')) return false
  return (digitsWas ?? []).every((digits, n) => {
    const other = digitsIs?.[n] ?? ''
    return digits === other || (digits.length <= DIGITS_MAX && isNumberShifted(Number(digits), Number(other), shift))
  })
}

const movedBack = (moment: string, seconds: number): string => {
  const ms = Date.parse(moment)
  return Number.isNaN(ms)
    ? moment
    : new Date(ms - seconds * 1_000).toISOString().replace(/Z$/, '').slice(0, moment.replace(/Z$/, '').length) +
        (moment.endsWith('Z') ? 'Z' : '')
}
