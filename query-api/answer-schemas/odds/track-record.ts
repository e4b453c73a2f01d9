// Schema of `data` of `/v1/track-record`.
import * as z from 'zod'
import { ODDS_HEADS } from '../../../processors/odds/heads.ts'
import { ODDS_CALLS } from '../../../topology/ports/odds-history.ts'
import { count, fields, share, text, unixSeconds, wholeSeconds } from '../vocabulary.ts'
import { day } from './calibration.ts'
import { withThin } from './thin.ts'

const figures = {
  launches: count.describe('launches that have odds of the head and a known outcome'),
  unresolved: count.describe(
    'launches that have odds of the head, but whose outcome is not known yet or never will be; not part of the other counts',
  ),
  positives: count.describe('of launches: those whose predicted outcome came true, with or without a call'),
  base_rate: share.nullable().describe('positives / launches: the precision of random calls'),
  calls: count.describe('called launches: each once, at its first value at or above at_least'),
  hits: count.describe('calls that came true'),
  precision: share.nullable().describe('hits / calls'),
  recall: share.nullable().describe('hits / positives'),
}

const record = fields({
  day: day.describe('UTC day of launch'),
  ...figures,
  lead_p50_s: wholeSeconds
    .nullable()
    .describe('median lead time of the hits: seconds from the call to the rug, or to the settlement as graduated'),
})

const call = fields({
  call: z.enum(ODDS_CALLS.map((one) => one.call)).describe('name of the call'),
  head: z.enum(ODDS_HEADS).describe('predicted outcome'),
  at_least: share.describe('odds at or above this are a call'),
  meaning: text.describe('meaning of the call'),
  worst_day: record.nullable().describe('the day with the lowest precision among days with calls'),
  total: fields(figures).describe('all days'),
  days: z.array(record).describe('every day with odds, newest first'),
})

const data = {
  as_of: unixSeconds.nullable().describe('stream time up to which outcomes are counted, unix seconds'),
  calls: z.array(call).nullable().describe('calls by the logged values of active models; all days and all calls are included'),
}
export const trackRecord = withThin(data)
export type TrackRecordData = z.output<typeof trackRecord.full | typeof trackRecord.thin>
export type CallData = NonNullable<TrackRecordData['calls']>[number]
