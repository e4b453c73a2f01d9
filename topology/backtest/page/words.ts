// Formats figures for people. An unknown value is a dash, never a zero.
import type { Share } from '../report-types.ts'
import { type Html, html } from './html.ts'

export const UNKNOWN = '–'

/** The currency of amounts: reports have amounts in its smallest unit. */
export interface Quote {
  readonly symbol: string
  readonly decimals: number
}

const DAY_S = 86_400
const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const significant = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 })

const orUnknown = (value: number | null, show: (value: number) => string): string =>
  value === null || !Number.isFinite(value) ? UNKNOWN : show(value)

export const count = (value: number | null): string => orUnknown(value, (known) => grouped.format(known))
/** `1 flag`, `2 flags`. */
export const some = (n: number, one: string): string => `${count(n)} ${one}${n === 1 ? '' : 's'}`
const tenths = (share: number): string => (share * 100).toFixed(1)
/** One decimal: `81.2 %`, with a no-break space. */
export const percent = (share: number | null): string => orUnknown(share, (known) => `${tenths(known)}\u00a0%`)
/** `77.9–84.1`, in percent; empty if unknown. */
export const interval = ({ low, high }: Share): string => (low === null || high === null ? '' : `${tenths(low)}–${tenths(high)}`)
/** A p or q value. */
export const chance = (value: number | null): string => orUnknown(value, (known) => (known < 0.001 ? '<0.001' : known.toFixed(3)))
/** A score from -1 to 1, with its sign. */
export const score = (value: number | null): string => orUnknown(value, (known) => signed(known, known.toFixed(3)))
export const rate = (value: number | null): string => orUnknown(value, (known) => significant.format(known))

const signed = (value: number, text: string): string => (value > 0 ? `+${text}` : text.replace('-', '−'))

/** Seconds in the largest two units: `48 s`, `6 min`, `1 h 12 min`, `3 d 4 h`. */
export const span = (seconds: number | null): string =>
  orUnknown(seconds, (known) => {
    if (known < 60) return `${Math.round(known)} s`
    const minutes = Math.floor(known / 60)
    if (minutes < 60) return `${minutes} min`
    if (known < DAY_S) return inTwo(minutes, 60, 'h', 'min')
    return inTwo(Math.floor(known / 3_600), 24, 'd', 'h')
  })

const inTwo = (small: number, perLarge: number, large: string, unit: string): string =>
  small % perLarge === 0 ? `${small / perLarge} ${large}` : `${Math.floor(small / perLarge)} ${large} ${small % perLarge} ${unit}`

/** Unix seconds as `2026-11-20 14:05`, UTC. */
export const when = (seconds: number): string => {
  const date = new Date(seconds * 1_000)
  return Number.isNaN(date.getTime()) ? UNKNOWN : date.toISOString().slice(0, 16).replace('T', ' ')
}
export const time = (seconds: number): Html => {
  const text = when(seconds)
  return text === UNKNOWN ? html`${UNKNOWN}` : html`<time datetime="${text.replace(' ', 'T')}Z">${text}</time>`
}

/** From the smallest unit: `12.3 SOL`; text that is not a number is unknown. */
export const amount = (units: string | number | null, quote: Quote): string =>
  orUnknown(
    units === null || units === '' ? null : Number(units),
    (known) => `${significant.format(known / 10 ** quote.decimals)}\u00a0${quote.symbol}`,
  )
/** As `amount`, with a sign and without the symbol. */
export const change = (units: number | null, quote: Quote): string =>
  orUnknown(units, (known) => signed(known, significant.format(known / 10 ** quote.decimals)))

/** `creator_sold` as `creator sold`. */
export const words = (code: string): string => code.replaceAll('_', ' ')
