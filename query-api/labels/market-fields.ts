// What each field of rug items, graduation items and the regime means, by dotted path.

import { GRADUATION_LAMPORTS } from '../../processors/mint/thresholds.ts'
import { priorAtLaunchFields, priorFields } from './creator-fields.ts'
import { sol } from './states.ts'

/** An item of `/v1/rugs/recent`. */
export const rugFields: Readonly<Record<string, string>> = {
  t: 'block time of the causing event, unix seconds',
  mint: 'token address',
  name: 'untrusted text of the creator: hidden characters removed, cut; null once the rows of the mint were forgotten',
  symbol: 'as name',
  creator: 'creator named at launch, wallet or not',
  creator_is_wallet: 'false: it is the address of a program, which cannot launch; who launched is creator_prior_of',
  flag: 'which; see rug_flags',
  detail: 'what was measured; see rug_flags.<flag>.evidence',
  mint_age_at_flag_s: 'seconds from the launch to t',
  position: 'chain position of the causing event: chain:slot.transaction.outer.inner instruction',
  finding_id: 'stable id of the finding; the card of the mint names the same',
  finality: 'see finality, when the answer was sent',
  creator_prior: 'as creator_prior_at_launch of the card, in short; null where it is not known',
  creator_prior_of: 'the wallet whose record it is: of the dev set, the one with the most earlier launches',
  ...priorFields('creator_prior'),
}

/** An item of `/v1/graduations/recent`: a curve whose launch was witnessed, and that moved to its pool. */
export const graduationFields: Readonly<Record<string, string>> = {
  mint: 'token address',
  name: 'untrusted text of the creator: hidden characters removed, cut; null once the rows of the mint were forgotten',
  symbol: 'as name',
  creator: 'creator named at launch, wallet or not',
  creator_is_wallet: 'false: it is the address of a program, which cannot launch; who launched is creator_prior_of',
  migrate_t: 'block time of the migration, unix seconds',
  graduated: `true: the curve was witnessed at or above ${sol(GRADUATION_LAMPORTS)} SOL; false: a close below it; null where the curve is not paired with SOL, or trades may be missing`,
  'curve.peak_rs_sol': 'highest real SOL of the curve before the migration; where graduated is null for a gap, as far as it was seen',
  'curve.pool': 'pool it moved to',
  position: 'chain position of the migration: chain:slot.transaction.outer.inner instruction',
  finality: 'see finality, when the answer was sent',
  holders: 'who holds the token now, as far as its newest event tells; null once the rows of the mint were forgotten, or after a gap',
  'holders.n_holders': 'wallets that hold the token; curve and pool accounts are never holders',
  'holders.top5_share': 'tokens of the five largest holders / total supply',
  'holders.bundle_share': 'tokens that the wallets of the bundle still hold / total supply',
  'holders.insider_share': 'tokens of insider wallets / total supply; see the card of the mint',
  'holders.insider_share_reason': 'what of the funding of wallets is not known',
  ...priorAtLaunchFields,
}

const windowFields = (name: 'minute' | 'hour' | 'day') => ({
  [`${name}.window_s`]: 'length of the window, which ends at as_of, seconds',
  [`${name}.launches`]: 'launches in it',
  [`${name}.observed_s`]: 'of the window, seconds in which the chain was observed: capture may have begun within it, or failed',
  [`${name}.launches_per_hour`]: 'launches per observed hour',
  [`${name}.mayhem_share`]: 'share of them in mayhem mode; null where there were none',
  [`${name}.buys`]: 'buys, curves and pools',
  [`${name}.sells`]: 'sells, curves and pools',
  [`${name}.buy_sol`]: 'SOL paid in buys',
  [`${name}.sell_sol`]: 'SOL got in sells',
  [`${name}.failed_share`]: 'share of transactions of the launchpad that failed; null where they were not counted',
  [`${name}.migrations`]: 'curves that went to a pool',
  [`${name}.true_graduations`]: `of these, curves witnessed at or above ${sol(GRADUATION_LAMPORTS)} SOL`,
  [`${name}.rug_flags`]: 'flags that fired, by mechanism; null where this version does not look',
  ...Object.fromEntries(
    ['creator_sold', 'bundle_dumped', 'curve_drained', 'pool_drained', 'curve_closed_low', 'migrate_below_grad'].map((flag) => [
      `${name}.rug_flags.${flag}`,
      `how often; see rug_flags.${flag}`,
    ]),
  ),
  [`${name}.coverage`]: 'full while the capture had no gap within the window; else thin with the reason',
})

/** `data` of `/v1/market/regime`. */
export const regimeFields: Readonly<Record<string, string>> = {
  as_of: 'newest tick that the figures hold, unix seconds',
  minute: 'the last minute',
  hour: 'the last hour',
  day: 'the last day',
  ...windowFields('minute'),
  ...windowFields('hour'),
  ...windowFields('day'),
}
