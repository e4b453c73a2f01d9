// Numbers formatted for people. Unknown is a dash, never a zero.
import { solOf } from '../../processors/mint/card/amounts.ts'
import type { Amount } from '../../schemas/amount.ts'

export const UNKNOWN = '–'

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const orUnknown = (value: number | null, show: (value: number) => string): string => (value === null ? UNKNOWN : show(value))

export const count = (value: number | null): string => orUnknown(value, (known) => grouped.format(known))
/** `1 flag`, `2 flags`. */
export const some = (n: number, one: string): string => `${count(n)} ${one}${n === 1 ? '' : 's'}`
/** One decimal below 10 %, none above; a share above 0 that would round to 0.0 % is `<0.1 %`. */
export const percent = (share: number | null): string =>
  orUnknown(share, (known) => (known > 0 && known < 0.0005 ? '<0.1 %' : `${(known * 100).toFixed(known < 0.1 ? 1 : 0)} %`))
/** Two decimals below 100 SOL, none above; an amount above 0 that would round to 0.00 is `<0.01`. */
export const sol = (value: number | null): string =>
  orUnknown(value, (known) => {
    if (known >= 99.995) return grouped.format(known)
    return known > 0 && known < 0.005 ? '<0.01' : known.toFixed(2)
  })
export const solOfLamports = (lamports: Amount): string => sol(solOf(lamports))
export const usd = (value: number): string => `$${value.toFixed(6).replace(/(\.\d{2,}?)0+$/, '$1')}`

/** Seconds in the largest two units: `48 s`, `6 min`, `1 h 12 min`. */
export const span = (seconds: number): string => {
  if (seconds < 60) return `${Math.round(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** First and last characters of an address. */
export const short = (address: string): string => `${address.slice(0, 4)}…${address.slice(-4)}`
/** `creator_sold` as `creator sold`. */
export const words = (code: string): string => code.replaceAll('_', ' ')
