// `data` of `/v1/track-record`.
import { z } from 'zod'
import { ODDS_HEADS } from '../../../processors/odds/heads.ts'
import { ODDS_CALLS } from '../../../topology/ports/odds-history.ts'
import { count, fields, share, text, unixSeconds, wholeSeconds } from '../vocabulary.ts'
import { day } from './calibration.ts'
import { withThin } from './thin.ts'

const figures = {
  launches: count.describe('launches with odds of the head whose outcomes are known'),
  unresolved: count.describe('launches with odds whose outcomes are not known yet, or never will be; they count nowhere else'),
  positives: count.describe('of launches: what the call says came true, called or not'),
  base_rate: share.nullable().describe('positives / launches: the precision of calling at random'),
  calls: count.describe('of launches: called, once each, at the first value at or above at_least'),
  hits: count.describe('calls that came true'),
  precision: share.nullable().describe('hits / calls'),
  recall: share.nullable().describe('hits / positives'),
}

const record = fields({
  day: day.describe('UTC day of launch'),
  ...figures,
  lead_p50_s: wholeSeconds
    .nullable()
    .describe('half of the hits were called at least so many seconds before it happened: the rug, or the settlement as graduated'),
})

const call = fields({
  call: z.enum(ODDS_CALLS.map((one) => one.call)).describe('name'),
  head: z.enum(ODDS_HEADS).describe('what the odds are about'),
  at_least: share.describe('odds at or above it are a call'),
  meaning: text.describe('what is called'),
  worst_day: record.nullable().describe('the day with the lowest precision, of those with calls'),
  total: fields(figures).describe('all days together'),
  days: z.array(record).describe('every day with odds, newest first'),
})

const data = {
  as_of: unixSeconds.nullable().describe('stream time up to which outcomes are counted, unix seconds'),
  calls: z
    .array(call)
    .nullable()
    .describe('what the odds called, from logged values of models in force alone: no day is left out, and no call is chosen later'),
}
export const trackRecord = withThin(data)
export type TrackRecordData = z.output<typeof trackRecord.full | typeof trackRecord.thin>
export type CallData = NonNullable<TrackRecordData['calls']>[number]
