// The schema of `/health`.
import * as z from 'zod'
import type { Chain } from '../../schemas/types.ts'
import { PUBLISHED, PUBLISHED_ALT } from './published-chain.ts'
import { boolean, count, fields, milliseconds, seconds, text, unixSeconds, wholeSeconds } from './vocabulary.ts'

const P99 = '99th percentile of the same duration'

const fromBlockTime = fields({
  p50: milliseconds
    .nullable()
    .describe(
      'median milliseconds from the block time of a frame until cards, lists and flags show it, by the service clock; block times are whole seconds, so up to 1,000 ms are rounding',
    ),
  p99: milliseconds.nullable().describe(P99),
  n_frames: count.describe('frames measured'),
})

const source = fields({
  chain: z
    .enum([PUBLISHED.chain, PUBLISHED_ALT.chain] satisfies Chain[])
    .describe('the followed chain; numbers below are slots, or blocks of the alt chain'),
  tip: count.nullable().describe('newest slot known to the source; null before the first'),
  folded: count.nullable().describe('newest applied slot, included in all answers; null before the first'),
  feed_lag_s: seconds.nullable().describe('as meta.feed_lag_s'),
  chain_lag_s: seconds.nullable().describe('as meta.chain_lag_s'),
  slots_behind: count.nullable().describe('as meta.slots_behind'),
  finality: text.nullable().describe('finality of the applied slot; null before the first'),
  confirmed: count
    .nullable()
    .describe(
      'slots up to this one are confirmed; null if the source does not report confirmations: each slot then arrives with its final state',
    ),
  finalized: count.nullable().describe('the chain cannot drop slots up to this one; null if the source does not report finality'),
})

export const health = fields({
  ok: boolean.describe('false only while no answer can be served (status 503)'),
  t: unixSeconds.describe('as in the envelope'),
  uptime_s: wholeSeconds.describe('whole seconds since this process started to serve, wall clock'),
  sources: z.array(source),
  mints_tracked: count.describe('mints that have rows in the stores'),
  curves_tracked: count.describe('curves of the alt chain that have rows in the stores; 0 if that chain is not followed'),
  counters: z.strictObject({
    frames: count.describe('slots applied since the stores were created'),
    events: count.describe('events applied'),
    flags: count.describe('flags that fired'),
    dead_letters: count.describe('records that could not be decoded or applied'),
    missing_events: count.describe('calls of the launchpad whose event is not in the record of the node: their coins are thin'),
    gaps: count.describe('ranges of slots that were never delivered'),
    forks: count.describe('times that the chain dropped slots'),
  }),
  detection_ms: fields({
    p50: milliseconds
      .nullable()
      .describe(
        'median milliseconds of wall time from the arrival of a frame in this process (serve: from reading it from the log) until cards, lists and flags show it; over the newest frames, at most 2,048',
      ),
    p99: milliseconds.nullable().describe(P99),
    n_frames: count.describe('frames measured; of several that arrive together, only the newest is measured'),
    from_block_time: fromBlockTime,
  }),
  views: z.array(
    z.strictObject({
      view: text.describe('topic that the answers are made from'),
      records_behind: count.describe(
        'consumer lag: upper bound of records on the log that answers do not show yet (compaction removes some of these offsets)',
      ),
    }),
  ),
  views_behind_ms: milliseconds.nullable().describe('stream time between the newest applied frame and the newest shown frame'),
  history: fields({
    ok: boolean.describe('the history store answered every query of the last 10 s in time, and its figures are updated'),
    rows_written: count.describe('rows written by the sink of this process'),
    up_to: unixSeconds.nullable().describe('the history is complete up to this tick, unix seconds'),
    behind_ms: milliseconds.nullable().describe('stream time between the newest applied slot and up_to'),
  })
    .nullable()
    .describe('state of the history store as seen by this process; null if there is none'),
  new_layouts: z
    .array(
      z.strictObject({
        event: text.describe('program and name of the event'),
        unknown_bytes: count.describe('bytes behind the newest layout that this version knows'),
        first_slot: count.describe('slot of the first event with them'),
      }),
    )
    .describe('events that the launchpad has extended: the new bytes are kept and not read; an upgrade may know them'),
  version: text.describe('as meta.version'),
  degraded: z.array(text.describe('problems, as `code: sentence`; empty if there are none')),
})
export type Health = z.output<typeof health>
