// Schemas of creators' records, of their funders, and of `/v1/creator/{address}`.
import * as z from 'zod'
import { HORIZON_DAYS, LIVE_SHOWN_MAX, RECENT_MAX, SELLS_MAX } from '../../processors/creator/horizon.ts'
import { SILENT_S } from '../../processors/mint/thresholds.ts'
import { FUNDING_S } from '../../processors/wallet/wallet.ts'
import { missing } from './envelope.ts'
import { address, boolean, count, fields, position, seconds, share, sol, unixSeconds } from './vocabulary.ts'

const HORIZON = `in the last ${HORIZON_DAYS} days (whole UTC days), as far back as the service has observed`
const RUG_RATE = 'rugged / resolved, by the rule of outcome.rugged'
const MEDIAN = `median seconds from launch to the first sell of the dev set, over the newest ${SELLS_MAX} resolved launches in which it sold`

const priorLaunches = count.describe(
  `launches with the wallet in their dev set in the ${HORIZON_DAYS} days before this launch (whole UTC days), as far back as the service has observed`,
)
const priorRates = {
  grad_rate: share
    .nullable()
    .describe(
      'graduated / resolved; resolved: settled before this launch with both labels (graduated, rugged) known; null if no launch is resolved',
    ),
  rug_rate: share.nullable().describe(RUG_RATE),
}

/** A creator's record before a launch, shortened. */
export const prior = (about: string, whose: string) => ({
  creator_prior: fields({ n_launches: priorLaunches, ...priorRates })
    .nullable()
    .describe(about),
  creator_prior_of: address.nullable().describe(whose),
})

/** A creator's record before a launch, in full. */
export const priorAtLaunch = {
  creator_prior_at_launch: fields({
    n_launches: priorLaunches,
    n_resolved: count.describe('of these, settled with both labels (graduated, rugged) known: denominator of the rates'),
    ...priorRates,
    median_dev_sell_s: seconds.nullable().describe(MEDIAN),
    is_first_time: boolean.describe('no earlier launch of any member of the dev set was observed since observed_since'),
    observed_since: unixSeconds.nullable().describe('start of observation, unix seconds: nothing earlier is counted'),
  })
    .nullable()
    .describe(
      'record of the member of the dev set with the most earlier launches (the caller of create in a tie): only launches and outcomes whose chain position is before this launch; null while it is pending (8 to 11 slots after the launch)',
    ),
  creator_prior_of: address.nullable().describe('the wallet whose record creator_prior_at_launch is'),
}

/** The funder's own record as a creator. */
export const funderPrior = (about: string, launches = 'its launches in the last 90 days, as far as the service has observed') =>
  fields({
    n_launches: count.describe(launches),
    rug_rate: share.nullable().describe('rugged / resolved; null if none is resolved'),
  })
    .nullable()
    .describe(about)

/** A SOL transfer to a wallet. */
export const payment = {
  funder: address.describe('sender of the transfer'),
  amount_sol: sol.describe('SOL transferred'),
  funded_at: unixSeconds.describe('time of the transfer, unix seconds'),
}
export const paymentPosition = position.describe('chain position of the transfer')

/** The funding of the creator before a launch. */
export const warmLaunch = {
  warm_launch: fields({
    ...payment,
    seconds_before_launch: seconds.describe('seconds from the transfer to the launch'),
    position: paymentPosition,
    funder_is_creator: boolean.nullable().describe('the funder has launched tokens itself, as far as the service has observed'),
    funder_prior: funderPrior("the funder's launches before this launch; known about 16 slots after it"),
  })
    .nullable()
    .describe('newest SOL transfer of at least 0.1 SOL to the creator in the 30 min before launch; null if none was observed'),
}

/** A wallet's record as a creator. */
export const creatorStats = fields({
  n_launches: count.describe(`launches with the wallet in their dev set (it called create, or was named as creator), ${HORIZON}`),
  n_resolved: count.describe('of these, settled with both labels (graduated, rugged) known: denominator of the rates'),
  grad_rate: share.nullable().describe('graduated / resolved; null if none is resolved'),
  rug_rate: share.nullable().describe(RUG_RATE),
  median_dev_sell_s: seconds.nullable().describe(MEDIAN),
  is_first_time: boolean.describe('no launch was observed since observed_since'),
  observed_since: unixSeconds
    .nullable()
    .describe('start of observation, unix seconds: nothing earlier is counted; null before the first frame'),
  total_dev_buy_sol: sol.describe('SOL that its dev sets spent in the create slots, over settled launches on SOL curves'),
})

const recentLaunch = fields({
  mint: address.describe('token address'),
  t0: unixSeconds.describe('time of the launch, unix seconds'),
  position: position.describe('chain position of the launch: chain:slot.transaction.outer.inner instruction'),
  settled_at: unixSeconds.nullable().describe('time of the settlement, unix seconds; null until then'),
  graduated: count.nullable().describe('1 or 0; null while the launch is not settled or the label not known, never a provisional 0'),
  rugged: count.nullable().describe('1, 0 or null (as for graduated), by the rule of outcome.rugged'),
  rug_dt_s: seconds.nullable().describe('seconds from launch to the rug'),
  peak_rs: sol.nullable().describe('highest real SOL of the curve until the settlement'),
  self_graduated: boolean.nullable().describe('the dev set bought out the curve within the create slot'),
})

const record = {
  creator: address.describe('the requested wallet'),
  stats: creatorStats,
  recent_launches: z.array(recentLaunch).describe(`newest launches, at most ${RECENT_MAX}, newest first`),
  n_live_mints: count.describe(
    `launches of any age with the wallet in their dev set whose curve is open and had an event in the last ${SILENT_S / 3_600} h`,
  ),
  live_mints: z.array(address).describe(`the mints of these launches, newest first, at most ${LIVE_SHOWN_MAX}`),
  funded_recently_by: fields({
    ...payment,
    position: paymentPosition,
    funder_prior: funderPrior("the funder's own launches, as of now", `its launches ${HORIZON}`),
  })
    .nullable()
    .describe(`newest SOL transfer of at least 0.1 SOL to the wallet in the last ${FUNDING_S / 60} min; null if none was observed`),
}

/** `data` of `/v1/creator/{address}`. */
export const creator = {
  full: fields(record),
  thin: fields({ ...record, ...missing('newest gap since observed_since: slots that were not delivered') }),
}
export type Creator = z.output<typeof creator.full | typeof creator.thin>
