// What surrounds the data of an answer, and what its data says where something is missing.
import { z } from 'zod'
import { boolean, count, dateTime, fields, seconds, text, unixSeconds, usd, wholeSeconds } from './vocabulary.ts'

const meta = fields({
  source: text.describe('what the events come from'),
  version: text.describe('version of the service'),
  feed_lag_s: seconds.nullable().describe('time of sending less the time of the newest folded slot, seconds; null before the first slot'),
  is_stale: boolean.describe('feed_lag_s is above max_feed_lag_s or unknown; counts of the last 60 s then say little'),
  last_slot: count.nullable().describe('newest folded slot; null before the first'),
  price_usd: usd.describe(
    'what this answer costs; 0 for free routes, where payments are off, where a check had nothing new, and with unpaid_reason',
  ),
  unpaid_reason: text
    .optional()
    .describe(
      'why a card that has a price was given for nothing: there is nothing to sell yet; absent where it was sold, and on free routes',
    ),
  next: z.record(text, text).optional().describe('paths that lead on, relative to the base address'),
  labels: z.literal('/v1/labels').describe('path of this page'),
  disclaimer: text.describe('what the answer is not'),
  max_feed_lag_s: seconds.describe('limit of is_stale for this route, seconds'),
  chain_lag_s: seconds.nullable().describe('t less the time of the newest slot that the source saw, seconds; null before the first'),
  slots_behind: count.nullable().describe('slots that the source saw and that are not folded yet; null before the first'),
  tape_behind: boolean.describe('slots_behind is above 2'),
  delayed_s: wholeSeconds
    .optional()
    .describe(
      'free samples: all that is shown of mints and flags is as of so many seconds ago; of mints, only those that have not changed since; absent where nothing is held back',
    ),
  freshness_checked_at: unixSeconds.describe(
    'when the freshness of what is shown was judged, unix seconds on the clock of the cards; for paid answers after the payment was verified',
  ),
  feed_lag_at_generation_s: seconds.nullable().describe('feed_lag_s when the answer was made'),
  result_age_s: seconds.describe(
    'from when the answer was made until it was sent, settlement included, seconds by the wall; feed_lag_s and is_stale are of the sending. The ranked preview is made for everybody: there all three are of generated_at',
  ),
  replayed: boolean.describe('true for an answer that was bought before and is given again for the same payment'),
  untrusted_text_note: text.describe('how to read name and symbol'),
  sandbox: z.literal(true).optional().describe('true where payments are play money; absent otherwise'),
})

/** A success. */
export const envelope = <Coverage extends 'full' | 'thin', Data extends z.ZodType>(coverage: Coverage, data: Data) =>
  z.strictObject({
    ok: z.literal(true).describe('true on success'),
    schema_version: z.literal('2.0').describe('version of these shapes'),
    generated_at: dateTime.describe('t as date and time, UTC'),
    t: unixSeconds.describe(
      'unix seconds at which the answer was made, on the clock of the cards: the wall for live sources, stream time for recordings. Ages and lags are against it; the HTTP Date header is always the wall',
    ),
    coverage: z.literal(coverage).describe('see coverage'),
    data: data.describe('the answer'),
    meta: meta.describe('how fresh and how sure the answer is'),
  })

/** A success with the data of either coverage. */
export const either = <Full extends z.ZodType, Thin extends z.ZodType>(full: Full, thin: Thin) =>
  z.discriminatedUnion('coverage', [envelope('full', full), envelope('thin', thin)])

/** Slots that were not delivered. */
export const slotRange = z.strictObject({
  from_slot: count.describe('first of them'),
  to_slot: count.describe('last of them'),
})

const SINCE = 'nothing before it was observed: the first frame that was captured, unix seconds'

/** What a window of time lacks: in answers with thin coverage. */
export const missing = (range: string, since = SINCE) => ({
  coverage_reason: text.describe('why coverage is thin: what may be missing'),
  coverage_range: slotRange.optional().describe(range),
  observed_since: unixSeconds.optional().describe(since),
})
export type Missing = z.output<z.ZodObject<ReturnType<typeof missing>>>
