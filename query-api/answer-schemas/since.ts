// `data` of `/v1/launches/since`.
import { z } from 'zod'
import { CURSOR_CHARS_MAX, CURSOR_S } from './check.ts'
import { missing } from './envelope.ts'
import { links, probabilities, verdict } from './ranked.ts'
import { boolean, count, fields, text, unixSeconds, wholeSeconds } from './vocabulary.ts'

const ITEMS_MAX = 100

/** What an item has beside its launch card. */
export const sinceItem = <Shape extends z.ZodRawShape>(launch: z.ZodObject<Shape>) => launch.extend({ probabilities, ...verdict, ...links })

const list = (item: z.ZodType) => ({
  count: count.describe('items'),
  items: z.array(item).max(ITEMS_MAX).describe('launches with full coverage now, in the order of the chain, oldest first'),
  next_cursor: z
    .string()
    .min(1)
    .max(CURSOR_CHARS_MAX)
    .describe(`the next since: what its holder has, signed; good for ${CURSOR_S / 3_600} h by the clock of the cards`),
  has_more: boolean.describe('true: more can be had at once'),
  next_check_after_s: wholeSeconds.describe('suggested time until the next request, seconds'),
  window_from: unixSeconds.describe('launches are kept from here on, unix seconds: older ones are not in this list'),
  cut_reason: text.optional().describe('why launches may be missing in front of the first item: since lies before window_from'),
  n_not_covered: count.describe('launches that were passed because their coverage is thin; they do not come again'),
})

export const launchesSince = (item: z.ZodType) => ({
  full: fields(list(item)),
  thin: fields({ ...list(item), ...missing('slots that were not delivered since then, the newest gap') }),
})
