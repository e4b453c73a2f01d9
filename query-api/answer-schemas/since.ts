// Schema of `data` of `/v1/launches/since`.
import * as z from 'zod'
import { CURSOR_CHARS_MAX, CURSOR_S } from './check.ts'
import { missing } from './envelope.ts'
import { links, probabilities, verdict } from './ranked.ts'
import { boolean, count, fields, text, unixSeconds, wholeSeconds } from './vocabulary.ts'

const ITEMS_MAX = 100

/** An item: a launch card with odds, verdict and links. */
export const sinceItem = <Shape extends z.ZodRawShape>(launch: z.ZodObject<Shape>) => launch.extend({ probabilities, ...verdict, ...links })

const list = (item: z.ZodType) => ({
  count: count.describe('items'),
  items: z.array(item).max(ITEMS_MAX).describe('launches with full coverage now, in chain order, oldest first'),
  next_cursor: z
    .string()
    .min(1)
    .max(CURSOR_CHARS_MAX)
    .describe(`signed cursor to pass as the next since; valid for ${CURSOR_S / 3_600} h on the service clock (see t)`),
  has_more: boolean.describe('true: more launches are available now'),
  next_check_after_s: wholeSeconds.describe('suggested time until the next request, seconds'),
  window_from: unixSeconds.describe('start of the kept launches, unix seconds: older ones are not listed'),
  cut_reason: text.optional().describe('why launches may be missing before the first item: since is before window_from'),
  n_not_covered: count.describe('launches skipped because their coverage is thin; they are not returned later'),
})

export const launchesSince = (item: z.ZodType) => ({
  full: fields(list(item)),
  thin: fields({ ...list(item), ...missing('newest gap since the requested start: slots that were not delivered') }),
})
