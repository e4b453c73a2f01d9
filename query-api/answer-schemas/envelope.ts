// The schema of the response envelope, and of the gaps that thin answers report.
import * as z from 'zod'
import { boolean, count, dateTime, fields, seconds, text, unixSeconds, usd, wholeSeconds } from './vocabulary.ts'

const meta = fields({
  source: text.describe('source of the events'),
  version: text.describe('version of the service'),
  feed_lag_s: seconds.nullable().describe('time of sending minus the time of the newest applied slot, seconds; null before the first slot'),
  is_stale: boolean.describe('feed_lag_s is above max_feed_lag_s or unknown; counts of the last 60 s are then not reliable'),
  last_slot: count.nullable().describe('newest applied slot; null before the first'),
  price_usd: usd.describe(
    'price of this answer; 0 on free routes, if payments are off, if a check had nothing new, and with unpaid_reason',
  ),
  unpaid_reason: text
    .optional()
    .describe('why a paid card was returned without charge: there is nothing to sell yet; absent if it was sold, and on free routes'),
  next: z.record(text, text).optional().describe('paths of related resources, relative to the base address'),
  labels: z.literal('/v1/labels').describe('path of the meanings of labels and fields'),
  disclaimer: text.describe('limits of what the answer states'),
  max_feed_lag_s: seconds.describe('feed lag above which is_stale is true on this route, seconds'),
  chain_lag_s: seconds.nullable().describe('t minus the time of the newest slot known to the source, seconds; null before the first'),
  slots_behind: count.nullable().describe('slots known to the source and not applied yet; null before the first'),
  tape_behind: boolean.describe('slots_behind is above 2'),
  delayed_s: wholeSeconds
    .optional()
    .describe(
      'free routes with a delay: minimum age of the shown launches, flags, odds and outcomes, seconds; cards and launches are shown only if they have not changed since; absent on live answers',
    ),
  freshness_checked_at: unixSeconds.describe(
    'when the freshness of the data was checked, unix seconds on the service clock; for paid answers, after the payment was verified',
  ),
  feed_lag_at_generation_s: seconds.nullable().describe('feed_lag_s when the answer was generated'),
  result_age_s: seconds.describe(
    'seconds from the generation of the answer until it was sent, settlement included, wall clock. Always 0 on /v1/radar, whose answers are cached: its feed_lag_s and is_stale are as of generated_at',
  ),
  replayed: boolean.describe('true: an earlier answer, returned again for the same payment'),
  untrusted_text_note: text.describe('how to read name and symbol'),
  sandbox: z.literal(true).optional().describe('true if payments are play money; absent otherwise'),
})

/** A successful answer. */
export const envelope = <Coverage extends 'full' | 'thin', Data extends z.ZodType>(coverage: Coverage, data: Data) =>
  z.strictObject({
    ok: z.literal(true).describe('true on success'),
    schema_version: z.literal('2.0').describe('version of these schemas'),
    generated_at: dateTime.describe('t as date and time, UTC'),
    t: unixSeconds.describe(
      'generation time, unix seconds on the service clock: wall clock for live sources, stream time for recordings. Ages and chain_lag_s refer to it, feed_lag_s to the time of sending; the HTTP Date header is always wall clock',
    ),
    coverage: z.literal(coverage).describe('see coverage'),
    data: data.describe('the answer'),
    meta: meta.describe('freshness, price and notes of the answer'),
  })

/** A successful answer with full or thin data. */
export const either = <Full extends z.ZodType, Thin extends z.ZodType>(full: Full, thin: Thin) =>
  z.discriminatedUnion('coverage', [envelope('full', full), envelope('thin', thin)])

/** A range of slots that were not delivered. */
export const slotRange = z.strictObject({
  from_slot: count.describe('first slot that was not delivered'),
  to_slot: count.describe('last slot that was not delivered'),
})

const SINCE = 'start of observation (the first captured frame), unix seconds'

/** The gaps of a time window, in answers with thin coverage. */
export const missing = (range: string, since = SINCE) => ({
  coverage_reason: text.describe('why coverage is thin: what may be missing'),
  coverage_range: slotRange.optional().describe(range),
  observed_since: unixSeconds.optional().describe(since),
})
export type Missing = z.output<z.ZodObject<ReturnType<typeof missing>>>
