// Schemas of items of `/v1/rugs/recent` and `/v1/graduations/recent`, and of `data` of `/v1/market/regime`.
import * as z from 'zod'
import { GRADUATION_LAMPORTS } from '../../processors/mint/thresholds.ts'
import { prior, priorAtLaunch } from './creator.ts'
import { missing } from './envelope.ts'
import { causedAt, type FlagSchemas, finalityNow } from './flags.ts'
import { sol as inSol } from './states.ts'
import {
  address,
  boolean,
  count,
  fields,
  position,
  seconds,
  share,
  signedSeconds,
  sol,
  text,
  unixSeconds,
  wholeSeconds,
} from './vocabulary.ts'

const mint = address.describe('token address')
const names = {
  name: text
    .nullable()
    .describe('untrusted text of the creator: hidden characters removed, truncated; null after the rows of the mint were evicted'),
  symbol: text.nullable().describe('as name'),
}
const creator = address.describe('creator named at launch, wallet or not')
const isWallet = boolean.describe(
  'false: creator is a program-derived address, which has no private key and cannot launch; creator_prior_of has the launching wallet',
)

export const rugShape = (flags: FlagSchemas) => ({
  t: unixSeconds.describe('block time of the causing event, unix seconds'),
  mint,
  ...names,
  creator: creator.nullable(),
  creator_is_wallet: isWallet.nullable(),
  flag: flags.name.describe('mechanism; see rug_flags'),
  detail: flags.evidence.describe('what was measured; see rug_flags.<flag>.evidence'),
  mint_age_at_flag_s: signedSeconds.nullable().describe('seconds from the launch to t'),
  position: causedAt,
  finding_id: text.describe('stable id of the finding, as in the card of the mint'),
  finality: finalityNow,
  ...prior(
    'as creator_prior_at_launch of the card, shortened; null if not known',
    'the wallet whose record it is: the member of the dev set with the most earlier launches',
  ),
})
export type Rug = z.output<z.ZodObject<ReturnType<typeof rugShape>>>

/** A curve whose launch was witnessed and that migrated to its pool. */
export const graduation = fields({
  mint,
  ...names,
  creator,
  creator_is_wallet: isWallet,
  migrate_t: unixSeconds.describe('block time of the migration, unix seconds'),
  graduated: boolean
    .nullable()
    .describe(
      `true: the curve was witnessed at or above ${inSol(GRADUATION_LAMPORTS)} SOL; false: closed below it; null if the curve is not paired with SOL, or trades may be missing`,
    ),
  curve: fields({
    peak_rs_sol: sol
      .nullable()
      .describe('highest real SOL of the curve before the migration; highest observed if graduated is null because of a gap'),
    pool: address.describe('pool that it migrated to'),
  }),
  position: position.describe('chain position of the migration: chain:slot.transaction.outer.inner instruction'),
  finality: finalityNow,
  holders: fields({
    n_holders: count.nullable().describe('wallets that hold the token, without curve and pool accounts'),
    top5_share: share.nullable().describe('tokens of the five largest holders / total supply'),
    bundle_share: share.nullable().describe('tokens still held by wallets of the bundle / total supply'),
    insider_share: share.nullable().describe('tokens of insider wallets / total supply; see the card of the mint'),
    insider_share_reason: text.optional().describe('why the funding of wallets is not known'),
  })
    .nullable()
    .describe('current holders, as of the newest event of the mint; null after the rows of the mint were evicted, or after a gap'),
  ...priorAtLaunch,
})
export type Graduation = z.output<typeof graduation>

const NOT_DELIVERED = 'newest gap within the window: slots that were not delivered'

const windowOf = (flags: FlagSchemas) => {
  const { coverage_reason: reason, ...gaps } = missing(NOT_DELIVERED)
  return fields({
    window_s: wholeSeconds.describe('length of the window, which ends at as_of, seconds'),
    launches: count.describe('launches in the window'),
    observed_s: seconds.describe('seconds of the window in which the chain was observed: capture may have started or failed within it'),
    launches_per_hour: z.number().min(0).nullable().describe('launches per observed hour'),
    mayhem_share: share.nullable().describe('share of these launches in mayhem mode; null without launches'),
    buys: count.describe('buys on curves and in pools'),
    sells: count.describe('sells on curves and in pools'),
    buy_sol: sol.describe('SOL paid in buys'),
    sell_sol: sol.describe('SOL received in sells'),
    failed_share: share.nullable().describe('share of launchpad transactions that failed; null if they were not counted'),
    migrations: count.describe('curves that migrated to a pool'),
    true_graduations: count.describe(`of these, curves witnessed at or above ${inSol(GRADUATION_LAMPORTS)} SOL`),
    rug_flags: flags.counts.describe('flags that fired, by mechanism'),
    coverage: z
      .enum(['full', 'thin'])
      .describe('full: capture began before the window and has no gap within it; else thin with the reason'),
    coverage_reason: reason.optional(),
    ...gaps,
  }).nullable()
}
export type Window = NonNullable<z.output<ReturnType<typeof windowOf>>>

export const regime = (flags: FlagSchemas) => {
  const window = windowOf(flags)
  const windows = {
    as_of: unixSeconds.nullable().describe('newest tick in the figures, unix seconds'),
    minute: window.describe('the last minute'),
    hour: window.describe('the last hour'),
    day: window.describe('the last day'),
  }
  return { full: fields(windows), thin: fields({ ...windows, ...missing(NOT_DELIVERED) }) }
}
