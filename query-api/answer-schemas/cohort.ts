// `data` of `/v1/cohort/mint/{mint}`.
import { z } from 'zod'
import { COHORT_LAUNCHES_MIN, COHORT_WINDOW_DAYS, SHAPE_PARTS } from '../../processors/mint/cohort/cohort.ts'
import { GRADUATION_LAMPORTS } from '../../processors/mint/thresholds.ts'
import { sol as inSol } from './states.ts'
import { address, boolean, count, fields, share, sol, text, unixSeconds, wholeSeconds } from './vocabulary.ts'

const shape = fields({
  is_mayhem: boolean.describe('launched in mayhem mode'),
  dev_buy: z
    .enum(['none', 'under_1_sol', '1_to_5_sol', 'over_5_sol'])
    .nullable()
    .describe('band of dev_buy_sol: none; under_1_sol; 1_to_5_sol with both ends; over_5_sol'),
  bundle: z
    .enum(['none', '1_to_4', '5_or_more'])
    .nullable()
    .describe('band of n_bundle_wallets: wallets outside the dev set that bought in the create slot'),
  creator_kind: z
    .enum(['first_time', 'mixed', 'serial_rugger', 'has_graduated'])
    .nullable()
    .describe(
      'by the record of the dev set as of the launch, the first that holds: first_time: no launch before; has_graduated: a resolved one graduated; serial_rugger: at least 3 resolved, none graduated, half of them or more rugged; mixed: everything else',
    ),
  dev_buy_sol: sol.nullable().describe('SOL that the dev set spent in the create slot'),
  n_bundle_wallets: count.nullable().describe('wallets outside the dev set that bought in the create slot'),
  creator_prior: z
    .strictObject({
      of: address.describe('whose record it is: the member of the dev set with the most launches before this one'),
      n_launches: count.describe('its launches before this one'),
      n_resolved: count.describe('those of them that had settled with both labels before this launch'),
      n_graduated: count.describe('of the resolved'),
      n_rugged: count.describe('of the resolved'),
    })
    .nullable()
    .describe('what creator_kind is made of: nothing that settled after the launch is in it'),
})

/** A share of n with its interval. */
const shareOfN = (what: string) =>
  z
    .strictObject({
      n: count.describe('how many'),
      rate: share.describe('n over the n of the cohort'),
      low: share.describe("lower end of the rate's 95 % interval (Wilson)"),
      high: share.describe("upper end of the rate's 95 % interval (Wilson)"),
    })
    .nullable()
    .describe(what)

const record = {
  mint: address.describe('token address'),
  t0: unixSeconds.describe('launch, unix seconds'),
  shape: shape.describe('what was known of the launch when its create slot was over, and nothing later'),
  alike_in: z
    .array(z.enum(SHAPE_PARTS).describe('a part of shape'))
    .describe(
      `the parts of shape in which the launches of the cohort are like this one: all four, or the first of them where fewer than ${COHORT_LAUNCHES_MIN} launches are alike in more, or more is not known of this one; empty where there is no cohort`,
    ),
  coarser_reason: text.optional().describe('why alike_in leaves parts out; absent where it has all four'),
  n_same_shape: count.nullable().describe('launches of the window that are alike in all four parts'),
  n: count
    .nullable()
    .describe(
      'the cohort: launches of the window on SOL curves that have settled with both labels known; the denominator of both rates. Its outcomes are measured as the history does, not as live flags',
    ),
  rugged: shareOfN('those that were drained, or dumped by their creator'),
  graduated: shareOfN(`those whose curve was witnessed at or above ${inSol(GRADUATION_LAMPORTS)} SOL; one of them can be rugged as well`),
  collapse_s: fields({
    n: count.describe('the rugged of the cohort'),
    p50: wholeSeconds.nullable().describe('half of them had collapsed so many seconds after their launch'),
    p90: wholeSeconds.nullable().describe('nine in ten of them had collapsed so many seconds after their launch'),
  })
    .nullable()
    .describe('seconds from launch to collapse, of those that were rugged'),
  window_days: z.literal(COHORT_WINDOW_DAYS).describe('launches of the UTC day of as_of and of so many days before it, by launch time'),
  window: z
    .strictObject({
      from: unixSeconds.describe('where it begins, unix seconds: later than window_days says while the history is younger'),
      to: unixSeconds.describe('where it ends: as_of'),
      days: z.number().min(0).describe('length in days'),
    })
    .describe('what the figures are of'),
  as_of: unixSeconds.describe('stream time up to which settled launches are counted, unix seconds'),
}

export const cohort = {
  full: fields(record),
  thin: fields({ ...record, coverage_reason: text.describe('why coverage is thin: what of the shape is not known') }),
}
export type CohortData = z.output<typeof cohort.full | typeof cohort.thin>
