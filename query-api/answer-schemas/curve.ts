// Schemas of `data` of `/v1/alt/curve/{address}`, of items of `/v1/alt/launches/recent`, and of windows of `/v1/alt/regime`.
import * as z from 'zod'
import { KEEP_S } from '../../processors/curve/thresholds.ts'
import type { DetectorFacts } from '../../processors/mint/detectors/detector.ts'
import type { DetectorSet } from '../../processors/mint/detectors/set.ts'
import {
  addresses,
  age,
  deployerActivity,
  FULL,
  flow,
  flowShort,
  launched,
  lifecycle,
  pair,
  prior,
  raised,
  raisedShort,
  snipeTax,
  status,
  steps,
  structure,
  structureShort,
} from './curve-parts.ts'
import { findingSchemas } from './flags.ts'
import { altPosition, boolean, count, evmAddress, fields, seconds, text, unixSeconds, wholeSeconds } from './vocabulary.ts'

export const curveFlagSchemas = (detectors: DetectorSet<DetectorFacts>) =>
  findingSchemas(detectors, 'alt_flags', altPosition.describe('chain position of the causing event: chain:block.transaction.log'))
type CurveFlagSchemas = ReturnType<typeof curveFlagSchemas>

export const fullCurve = (flags: CurveFlagSchemas) =>
  fields({
    ...addresses,
    ...pair,
    ...launched,
    ...age,
    coverage: z.literal('full').describe(FULL),
    status,
    raised,
    snipe_tax: snipeTax,
    structure,
    flow,
    lifecycle,
    launch_route: text.describe('direct if the factory was called directly, else the name of the router, or other'),
    deployer_activity: deployerActivity,
    deployer_prior_at_launch: prior,
    findings: flags.list,
    flags: flags.fired.describe('each flag: true: fired; false: checked and not fired; null: not checked'),
    as_of: z.strictObject({
      position: altPosition.describe('newest event of this curve in the card'),
      at: unixSeconds.describe('its time, unix seconds'),
    }),
  })

const blockRange = z.strictObject({
  from_block: count.describe('first block that was not delivered'),
  to_block: count.describe('last block that was not delivered'),
})

export const thinCurve = fields({
  address: evmAddress.describe('the requested address'),
  coverage: z.literal('thin').describe(FULL),
  known: boolean.describe('true: the stores have the launch now, or had it within the last day'),
  status: z.literal('unknown').describe('thin: not known'),
  coverage_reason: text.describe(
    `why coverage is thin: usually the address is not a curve or token of the launchpad (Pons V2) that launched in the last ${KEEP_S / 3_600} h`,
  ),
  coverage_range: blockRange.optional().describe('gap in which trades of the curve may be missing: blocks that were not delivered'),
  ...z.object({ ...addresses, ...pair, ...launched }).partial().shape,
  lifecycle: fields(steps).optional(),
})

const itemHead = {
  ...addresses,
  ...pair,
  launched_at: launched.launched_at,
  ...age,
  status,
  lifecycle: steps.state,
}
const nullWhereThin = z.null().describe('null if coverage is thin')

export const fullCurveLaunch = (flags: CurveFlagSchemas) =>
  fields({
    ...itemHead,
    coverage: z.literal('full').describe(FULL),
    raised: fields(raisedShort),
    structure: fields(structureShort),
    flow: fields(flowShort),
    findings: flags.list,
  })

export const thinCurveLaunch = (flags: CurveFlagSchemas) =>
  fields({
    ...itemHead,
    coverage: z.literal('thin').describe(FULL),
    coverage_reason: text.describe('why coverage is thin'),
    raised: nullWhereThin,
    raised_reason: text,
    structure: nullWhereThin,
    structure_reason: text,
    flow: nullWhereThin,
    flow_reason: text,
    findings: flags.list,
  })

const rate = z.number().min(0)
const graduationRate = rate.meta({ unit: '1' })
/** A window of `/v1/alt/regime`. */
export const curveRegimeWindow = fields({
  window_s: wholeSeconds.describe('length of the window, seconds'),
  observed_s: seconds.describe('seconds of the window since observation began; gaps are not subtracted'),
  launches: count.describe('launches in the window'),
  launches_per_hour: rate.nullable().describe('launches per observed hour'),
  graduations: count.describe(`curves launched in the last ${KEEP_S / 3_600} h whose pool opened in the window`),
  graduations_per_hour: rate.nullable().describe('graduations per observed hour'),
  graduation_rate: graduationRate.nullable().describe('graduations / launches of the window'),
  median_graduation_s: seconds.nullable().describe('median seconds from launch to graduation'),
  buys_per_minute: rate.nullable().describe('buys on curves per observed minute'),
  sells_per_minute: rate.nullable().describe('sells on curves per observed minute'),
  unique_buyers: count.nullable().describe('known wallets that bought on curves'),
})

const NOT_DELIVERED = 'newest gap within the window: blocks that were not delivered'
/** The gaps of an answer about curves. */
export const missingBlocks = {
  coverage_reason: text.describe('why coverage is thin: what may be missing'),
  coverage_range: blockRange.optional().describe(NOT_DELIVERED),
  observed_since: unixSeconds.optional().describe('start of observation (the first captured frame), unix seconds'),
}

export type MissingBlocks = z.output<z.ZodObject<typeof missingBlocks>>

const windows = {
  as_of: unixSeconds.nullable().describe('newest tick in the figures, unix seconds'),
  trades_as_of: unixSeconds
    .nullable()
    .describe('newest tick whose trades are all counted, unix seconds: windows of buys, sells and buyers end there'),
  minute: curveRegimeWindow.describe('the last minute'),
  hour: curveRegimeWindow.describe('the last hour'),
}
/** `data` of `/v1/alt/regime`. */
export const curveRegimeWindows = { full: fields(windows), thin: fields({ ...windows, ...missingBlocks }) }
