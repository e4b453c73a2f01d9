// Days of UTC as exports use them: unix seconds of their midnights, printed as 2026-10-15.

const DAY_S = 86_400
const MOMENT = /^(\d{4})-(\d{2})-(\d{2})(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})?)?$/
const SECONDS = /^\d{1,11}$/

/** Midnight of the day of a moment, unix seconds. */
export const dayOf = (timeS: number): number => Math.floor(timeS / DAY_S) * DAY_S
export const nextDay = (dayS: number): number => dayS + DAY_S
export const dayText = (dayS: number): string => new Date(dayS * 1_000).toISOString().slice(0, 10)
/** 2026-10-15T12:00:00Z */
export const timeText = (timeS: number): string => new Date(timeS * 1_000).toISOString().replace('.000Z', 'Z')

/** Unix seconds of a date, a date and time (UTC unless it has an offset), or unix seconds; undefined for other text. */
export const momentOf = (text: string): number | undefined => {
  if (SECONDS.test(text)) return Number(text)
  const [, year, month, date, time, , zone] = MOMENT.exec(text) ?? []
  if (year === undefined || new Date(Date.UTC(Number(year), Number(month) - 1, Number(date))).getUTCDate() !== Number(date))
    return undefined
  const ms = Date.parse(time === undefined || zone !== undefined ? text : `${text}Z`)
  return ms >= 0 ? ms / 1_000 : undefined
}
