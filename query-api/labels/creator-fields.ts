// What each field about creators, and about who paid them, means, by dotted path.
import { HORIZON_DAYS, SELLS_MAX } from '../../processors/creator/horizon.ts'

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
