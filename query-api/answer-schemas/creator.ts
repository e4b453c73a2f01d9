// What is said of creators, of wallets that paid them, and the record of a creator.
import { z } from 'zod'
import { HORIZON_DAYS, LIVE_SHOWN_MAX, RECENT_MAX, SELLS_MAX } from '../../processors/creator/horizon.ts'
import { SILENT_S } from '../../processors/mint/thresholds.ts'
import { FUNDING_S } from '../../processors/wallet/wallet.ts'
import { missing } from './envelope.ts'
import { address, boolean, count, fields, position, seconds, share, sol, unixSeconds } from './vocabulary.ts'

const HORIZON = `in the last ${HORIZON_DAYS} days (whole UTC days) and as far back as the service observed`
const RUG_RATE = 'rugged / resolved, by the rule of outcome.rugged'
const MEDIAN = `median seconds from launch to the first sell of the dev set, of the resolved launches in which it sold (the newest ${SELLS_MAX})`

const priorLaunches = count.describe(
  `launches whose dev set the wallet was in, in the ${HORIZON_DAYS} days before (whole UTC days) and as far back as the service observed`,
)
const priorRates = {
  grad_rate: share
    .nullable()
    .describe('graduated / resolved; resolved: settled before this launch with both labels known; null while none is'),
  rug_rate: share.nullable().describe(RUG_RATE),
}

/** What a creator had done before a launch, in short. */
export const prior = (about: string, whose: string) => ({
  creator_prior: fields({ n_launches: priorLaunches, ...priorRates })
    .nullable()
    .describe(about),
  creator_prior_of: address.nullable().describe(whose),
})

/** What a creator had done before a launch, in full. */
export const priorAtLaunch = {
  creator_prior_at_launch: fields({
    n_launches: priorLaunches,
    n_resolved: count.describe('those of the launches that had settled with both labels known: denominator of the rates'),
    ...priorRates,
    median_dev_sell_s: seconds.nullable().describe(MEDIAN),
    is_first_time: boolean.describe('no launch with any member of the dev set was seen since observed_since'),
    observed_since: unixSeconds.nullable().describe('nothing before this time is counted, unix seconds'),
  })
    .nullable()
    .describe(
      'record of the member of the dev set with the most earlier launches (of equals, who called create): launches and outcomes whose chain position is before this launch, and nothing that settled later; null while the answer is pending (8 to 11 slots after the launch)',
    ),
  creator_prior_of: address.nullable().describe('the wallet whose record it is'),
}

/** What a wallet that paid another has launched itself. */
export const funderPrior = (about: string, launches = 'its launches in the last 90 days, as far as the service observed') =>
  fields({
    n_launches: count.describe(launches),
    rug_rate: share.nullable().describe('rugged / resolved of them; null while none is resolved'),
  })
    .nullable()
    .describe(about)

/** A payment of SOL to a wallet. */
export const payment = {
  funder: address.describe('who paid'),
  amount_sol: sol.describe('SOL paid'),
  funded_at: unixSeconds.describe('when, unix seconds'),
}
export const paymentPosition = position.describe('chain position of the payment')

/** Who paid the creator before a launch. */
export const warmLaunch = {
  warm_launch: fields({
    ...payment,
    seconds_before_launch: seconds.describe('seconds from the payment to the launch'),
    position: paymentPosition,
    funder_is_creator: boolean.nullable().describe('the funder has launched coins itself, as far as the service observed'),
    funder_prior: funderPrior('what it had launched before this launch; asked and answered some 16 slots after it'),
  })
    .nullable()
    .describe(
      'newest SOL transfer of at least 0.1 SOL into the creator in the 30 min before launch; null with the reason where none was seen',
    ),
}

/** What a wallet has launched. */
export const creatorStats = fields({
  n_launches: count.describe(`launches whose dev set it is in: it called create, or was named as creator; ${HORIZON}`),
  n_resolved: count.describe('those of them that settled with both labels known: denominator of the rates'),
  grad_rate: share.nullable().describe('graduated / resolved; null while none is resolved'),
  rug_rate: share.nullable().describe(RUG_RATE),
  median_dev_sell_s: seconds.nullable().describe(MEDIAN),
  is_first_time: boolean.describe('no launch was seen since observed_since: a launch now would be its first'),
  observed_since: unixSeconds.nullable().describe('nothing before this time is counted, unix seconds; null before the first frame'),
  total_dev_buy_sol: sol.describe('SOL that its dev sets spent in the create slots of launches that settled on SOL curves'),
})

const recentLaunch = fields({
  mint: address.describe('token address'),
  t0: unixSeconds.describe('time of the launch, unix seconds'),
  position: position.describe('chain position of the launch: chain:slot.transaction.outer.inner instruction'),
  settled_at: unixSeconds.nullable().describe('when its outcome was settled, unix seconds; null until then'),
  graduated: count.nullable().describe('1, 0, or null while it is not settled or not known; never a provisional 0'),
  rugged: count.nullable().describe('1, 0 or null as graduated, by the rule of outcome.rugged'),
  rug_dt_s: seconds.nullable().describe('seconds from launch to the rug'),
  peak_rs: sol.nullable().describe('highest real SOL of the curve, at the settlement'),
  self_graduated: boolean.nullable().describe('the dev set bought the curve out within the create slot'),
})

const record = {
  creator: address.describe('the wallet that was asked about'),
  stats: creatorStats,
  recent_launches: z.array(recentLaunch).describe(`the newest of the launches, at most ${RECENT_MAX}, newest first`),
  n_live_mints: count.describe(
    `launches whose dev set it is in, whose curve takes trades and was heard from in the last ${SILENT_S / 3_600} h, however long ago they were`,
  ),
  live_mints: z.array(address).describe(`these, newest first, at most ${LIVE_SHOWN_MAX}`),
  funded_recently_by: fields({
    ...payment,
    position: paymentPosition,
    funder_prior: funderPrior('what the funder has launched itself, as of now', `its launches ${HORIZON}`),
  })
    .nullable()
    .describe(
      `newest SOL transfer of at least 0.1 SOL into the wallet in the last ${FUNDING_S / 60} min; null with the reason where none was seen`,
    ),
}

/** `data` of `/v1/creator/{address}`. */
export const creator = {
  full: fields(record),
  thin: fields({ ...record, ...missing('slots that were not delivered since observed_since, the newest gap') }),
}
export type Creator = z.output<typeof creator.full | typeof creator.thin>
