// The body of `/health`.
import { z } from 'zod'
import type { Chain } from '../../schemas/types.ts'
import { PUBLISHED, PUBLISHED_ALT } from './published-chain.ts'
import { boolean, count, fields, milliseconds, seconds, text, unixSeconds, wholeSeconds } from './vocabulary.ts'

const P99 = 'the same, 99th percentile'

const fromBlockTime = fields({
  p50: milliseconds
    .nullable()
    .describe(
      'the same from the time of the block, which is in whole seconds: up to 1,000 ms of it are rounding. On the clock of the cards',
    ),
  p99: milliseconds.nullable().describe(P99),
  n_frames: count.describe('frames measured'),
})

const source = fields({
  chain: z
    .enum([PUBLISHED.chain, PUBLISHED_ALT.chain] satisfies Chain[])
    .describe('chain that is followed; numbers are slots, of the alt chain blocks'),
  tip: count.nullable().describe('newest slot that the source saw; null before the first'),
  folded: count.nullable().describe('newest slot in the cards; null before the first'),
  feed_lag_s: seconds.nullable().describe('as meta.feed_lag_s'),
  chain_lag_s: seconds.nullable().describe('as meta.chain_lag_s'),
  slots_behind: count.nullable().describe('as meta.slots_behind'),
  finality: text.nullable().describe('how sure the chain is of the folded slot; null before the first'),
  confirmed: count
    .nullable()
    .describe('slots up to this one are confirmed; null where the source says nothing of it: each slot then came as sure as it will be'),
  finalized: count.nullable().describe('slots up to this one cannot be dropped; null as above'),
})

export const health = fields({
  ok: boolean.describe('false only while nothing can be served (status 503)'),
  t: unixSeconds.describe('as in the envelope'),
  uptime_s: wholeSeconds.describe('whole seconds since this process began to serve, by the wall'),
  sources: z.array(source),
  mints_tracked: count.describe('mints with rows'),
  curves_tracked: count.describe('curves of the alt chain with rows; 0 where that chain is not followed'),
  counters: z.strictObject({
    frames: count.describe('slots folded since the stores began'),
    events: count.describe('events folded'),
    flags: count.describe('flags that fired'),
    dead_letters: count.describe('records that could not be understood'),
    gaps: count.describe('ranges of slots that were never delivered'),
    forks: count.describe('times that the chain took slots back'),
  }),
  detection_ms: fields({
    p50: milliseconds
      .nullable()
      .describe(
        'milliseconds from when this process had a frame (serve: read it from the log) until cards, lists and flags show it, by the wall; median of the newest frames, at most 2,048',
      ),
    p99: milliseconds.nullable().describe(P99),
    n_frames: count.describe('frames measured; of frames that came at once the newest'),
    from_block_time: fromBlockTime,
  }),
  views: z.array(
    z.strictObject({
      view: text.describe('topic of the log that the answers are made from'),
      records_behind: count.describe('records of it that are on the log and not shown yet, at most: compaction leaves holes'),
    }),
  ),
  views_behind_ms: milliseconds.nullable().describe('stream time between the newest frame that is folded and the newest that is shown'),
  history: fields({
    ok: boolean.describe('the history store answers, and its figures are kept fresh'),
    rows_written: count.describe('rows that the sink of this process has written'),
    up_to: unixSeconds.nullable().describe('every row up to this tick is in the history, unix seconds'),
    behind_ms: milliseconds.nullable().describe('stream time between the newest folded slot and up_to'),
  })
    .nullable()
    .describe('the history store as this process sees it; null where none is kept'),
  version: text.describe('as meta.version'),
  degraded: z.array(text.describe('what is wrong, `code: sentence`; empty when nothing is')),
})
export type Health = z.output<typeof health>
