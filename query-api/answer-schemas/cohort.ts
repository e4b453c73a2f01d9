// Schema of `data` of `/v1/cohort/mint/{mint}`.
import * as z from 'zod'
import { COHORT_LAUNCHES_MIN, COHORT_WINDOW_DAYS, SHAPE_PARTS } from '../../processors/mint/cohort/cohort.ts'
import { GRADUATION_LAMPORTS } from '../../processors/mint/thresholds.ts'
import { sol as inSol } from './states.ts'
import { address, boolean, count, fields, share, sol, text, unixSeconds, wholeSeconds } from './vocabulary.ts'

const shape = fields({
  is_mayhem: boolean.describe('launched in mayhem mode'),
  dev_buy: z
    .enum(['none', 'under_1_sol', '1_to_5_sol', 'over_5_sol'])
    .nullable()
    .describe('band of dev_buy_sol: none; under_1_sol; 1_to_5_sol, both bounds included; over_5_sol'),
  bundle: z
    .enum(['none', '1_to_4', '5_or_more'])
    .nullable()
    .describe('band of n_bundle_wallets: wallets outside the dev set that bought in the create slot'),
  creator_kind: z
    .enum(['first_time', 'mixed', 'serial_rugger', 'has_graduated'])
    .nullable()
    .describe(
      'by the record of the dev set as of the launch, the first that applies: first_time: no earlier launch; has_graduated: a resolved launch graduated; serial_rugger: at least 3 resolved, none graduated, at least half of them rugged; mixed: everything else',
    ),
  dev_buy_sol: sol.nullable().describe('SOL that the dev set spent in the create slot'),
  n_bundle_wallets: count.nullable().describe('wallets outside the dev set that bought in the create slot'),
  creator_prior: z
    .strictObject({
      of: address.describe('the wallet: the member of the dev set with the most launches before this one'),
      n_launches: count.describe('its launches before this one'),
      n_resolved: count.describe('of these, settled with both labels (graduated, rugged) before this launch'),
      n_graduated: count.describe('resolved launches that graduated'),
      n_rugged: count.describe('resolved launches that rugged'),
    })
    .nullable()
    .describe('the figures behind creator_kind, without launches that settled after this launch'),
})

/** A share of n with its interval. */
const shareOfN = (what: string) =>
  z
    .strictObject({
      n: count.describe('number of launches'),
      rate: share.describe('this n / n of the cohort'),
      low: share.describe("lower end of the rate's 95 % interval (Wilson)"),
      high: share.describe("upper end of the rate's 95 % interval (Wilson)"),
    })
    .nullable()
    .describe(what)

const record = {
  mint: address.describe('token address'),
  t0: unixSeconds.describe('launch, unix seconds'),
  shape: shape.describe('features of the launch at the end of its create slot'),
  alike_in: z
    .array(z.enum(SHAPE_PARTS).describe('a part of shape'))
    .describe(
      `the parts of shape in which all launches of the cohort equal this one. All four parts if they are known and at least ${COHORT_LAUNCHES_MIN} launches match; else the last parts are dropped, one by one, until both hold. Empty if there is no cohort`,
    ),
  coarser_reason: text.optional().describe('why alike_in has fewer than four parts; absent if it has all four'),
  n_same_shape: count.nullable().describe('launches of the window that equal this one in all four parts'),
  n: count
    .nullable()
    .describe(
      'size of the cohort: launches of the window on SOL curves that settled with both labels (graduated, rugged) known; denominator of both rates. Outcomes are measured as in settled records, not as live flags',
    ),
  rugged: shareOfN('launches that were drained, or dumped by their dev set'),
  graduated: shareOfN(
    `launches whose curve was witnessed at or above ${inSol(GRADUATION_LAMPORTS)} SOL; a launch can be both graduated and rugged`,
  ),
  collapse_s: fields({
    n: count.describe('rugged launches of the cohort'),
    p50: wholeSeconds.nullable().describe('median, seconds'),
    p90: wholeSeconds.nullable().describe('90th percentile, seconds'),
  })
    .nullable()
    .describe('seconds from launch to collapse, of the rugged launches'),
  window_days: z
    .literal(COHORT_WINDOW_DAYS)
    .describe('length of the window: the UTC day of as_of and this many days before it, by launch time'),
  window: z
    .strictObject({
      from: unixSeconds.describe('start, unix seconds; the start of the history, if that is later than window_days before to'),
      to: unixSeconds.describe('end, unix seconds: as_of'),
      days: z.number().min(0).describe('length in days'),
    })
    .describe('window of the figures'),
  as_of: unixSeconds.describe('stream time up to which settled launches are counted, unix seconds'),
}

export const cohort = {
  full: fields(record),
  thin: fields({ ...record, coverage_reason: text.describe('why coverage is thin: the parts of shape that are not known') }),
}
export type CohortData = z.output<typeof cohort.full | typeof cohort.thin>
