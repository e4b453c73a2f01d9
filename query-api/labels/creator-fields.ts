// What each field about creators, and about who paid them, means, by dotted path.
import { HORIZON_DAYS, LIVE_SHOWN_MAX, RECENT_MAX, SELLS_MAX } from '../../processors/creator/horizon.ts'
import { SILENT_S } from '../../processors/mint/thresholds.ts'
import { FUNDING_S } from '../../processors/wallet/wallet.ts'

/** What a creator had done before a launch, in short. */
export const priorFields = (field: string) => ({
  [`${field}.n_launches`]: `launches whose dev set the wallet was in, in the ${HORIZON_DAYS} days before (whole UTC days) and as far back as the service observed`,
  [`${field}.grad_rate`]: 'graduated / resolved; resolved: settled before this launch with both labels known; null while none is',
  [`${field}.rug_rate`]: 'rugged / resolved, by the rule of outcome.rugged',
})

/** What a creator had done before a launch, in full. */
export const priorAtLaunchFields = {
  creator_prior_at_launch:
    'record of the member of the dev set with the most earlier launches (of equals, who called create): launches and outcomes whose chain position is before this launch, and nothing that settled later; null while the answer is pending (8 to 11 slots after the launch)',
  creator_prior_of: 'the wallet whose record it is',
  ...priorFields('creator_prior_at_launch'),
  'creator_prior_at_launch.n_resolved': 'those of the launches that had settled with both labels known: denominator of the rates',
  'creator_prior_at_launch.median_dev_sell_s': `median seconds from launch to the first sell of the dev set, of the resolved launches in which it sold (the newest ${SELLS_MAX})`,
  'creator_prior_at_launch.is_first_time': 'no launch with any member of the dev set was seen since observed_since',
  'creator_prior_at_launch.observed_since': 'nothing before this time is counted, unix seconds',
}

/** Who paid the creator before a launch. */
export const warmLaunchFields = {
  warm_launch:
    'newest SOL transfer of at least 0.1 SOL into the creator in the 30 min before launch; null with the reason where none was seen',
  'warm_launch.funder': 'who paid',
  'warm_launch.amount_sol': 'SOL paid',
  'warm_launch.funded_at': 'when, unix seconds',
  'warm_launch.seconds_before_launch': 'seconds from the payment to the launch',
  'warm_launch.position': 'chain position of the payment',
  'warm_launch.funder_is_creator': 'the funder has launched coins itself, as far as the service observed',
  'warm_launch.funder_prior': 'what it had launched before this launch; asked and answered some 16 slots after it',
  'warm_launch.funder_prior.n_launches': 'its launches in the last 90 days, as far as the service observed',
  'warm_launch.funder_prior.rug_rate': 'rugged / resolved of them; null while none is resolved',
}

const HORIZON = `in the last ${HORIZON_DAYS} days (whole UTC days) and as far back as the service observed`

/** `data` of `/v1/creator/{address}`. */
export const creatorRecordFields: Readonly<Record<string, string>> = {
  creator: 'the wallet that was asked about',
  'stats.n_launches': `launches whose dev set it is in: it called create, or was named as creator; ${HORIZON}`,
  'stats.n_resolved': 'those of them that settled with both labels known: denominator of the rates',
  'stats.grad_rate': 'graduated / resolved; null while none is resolved',
  'stats.rug_rate': 'rugged / resolved, by the rule of outcome.rugged',
  'stats.median_dev_sell_s': `median seconds from launch to the first sell of the dev set, of the resolved launches in which it sold (the newest ${SELLS_MAX})`,
  'stats.is_first_time': 'no launch was seen since observed_since: a launch now would be its first',
  'stats.observed_since': 'nothing before this time is counted, unix seconds; null before the first frame',
  'stats.total_dev_buy_sol': 'SOL that its dev sets spent in the create slots of launches that settled on SOL curves',
  recent_launches: `the newest of the launches, at most ${RECENT_MAX}, newest first`,
  'recent_launches[].mint': 'token address',
  'recent_launches[].t0': 'time of the launch, unix seconds',
  'recent_launches[].position': 'chain position of the launch: chain:slot.transaction.outer.inner instruction',
  'recent_launches[].settled_at': 'when its outcome was settled, unix seconds; null until then',
  'recent_launches[].graduated': '1, 0, or null while it is not settled or not known; never a provisional 0',
  'recent_launches[].rugged': '1, 0 or null as graduated, by the rule of outcome.rugged',
  'recent_launches[].rug_dt_s': 'seconds from launch to the rug',
  'recent_launches[].peak_rs': 'highest real SOL of the curve, at the settlement',
  'recent_launches[].self_graduated': 'the dev set bought the curve out within the create slot',
  n_live_mints: `launches whose dev set it is in, whose curve takes trades and was heard from in the last ${SILENT_S / 3_600} h, however long ago they were`,
  live_mints: `these, newest first, at most ${LIVE_SHOWN_MAX}`,
  funded_recently_by: `newest SOL transfer of at least 0.1 SOL into the wallet in the last ${FUNDING_S / 60} min; null with the reason where none was seen`,
  'funded_recently_by.funder': 'who paid',
  'funded_recently_by.amount_sol': 'SOL paid',
  'funded_recently_by.funded_at': 'when, unix seconds',
  'funded_recently_by.position': 'chain position of the payment',
  'funded_recently_by.funder_prior': 'what the funder has launched itself, as of now',
  'funded_recently_by.funder_prior.n_launches': `its launches ${HORIZON}`,
  'funded_recently_by.funder_prior.rug_rate': 'rugged / resolved of them; null while none is resolved',
  coverage_reason: 'why coverage is thin: what may be missing',
  coverage_range: 'slots that were not delivered since observed_since, the newest gap',
  'coverage_range.from_slot': 'first of them',
  'coverage_range.to_slot': 'last of them',
}
