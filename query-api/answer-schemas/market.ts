// Items of `/v1/rugs/recent` and `/v1/graduations/recent`, and `data` of `/v1/market/regime`.
import { z } from 'zod'
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
    .describe('untrusted text of the creator: hidden characters removed, cut; null once the rows of the mint were forgotten'),
  symbol: text.nullable().describe('as name'),
}
const creator = address.describe('creator named at launch, wallet or not')
const isWallet = boolean.describe('false: it is the address of a program, which cannot launch; who launched is creator_prior_of')

export const rugShape = (flags: FlagSchemas) => ({
  t: unixSeconds.describe('block time of the causing event, unix seconds'),
  mint,
  ...names,
  creator: creator.nullable(),
  creator_is_wallet: isWallet.nullable(),
  flag: flags.name.describe('which; see rug_flags'),
  detail: flags.evidence.describe('what was measured; see rug_flags.<flag>.evidence'),
  mint_age_at_flag_s: signedSeconds.nullable().describe('seconds from the launch to t'),
  position: causedAt,
  finding_id: text.describe('stable id of the finding; the card of the mint names the same'),
  finality: finalityNow,
  ...prior(
    'as creator_prior_at_launch of the card, in short; null where it is not known',
    'the wallet whose record it is: of the dev set, the one with the most earlier launches',
  ),
})
export type Rug = z.output<z.ZodObject<ReturnType<typeof rugShape>>>

/** A curve whose launch was witnessed, and that moved to its pool. */
export const graduation = fields({
  mint,
  ...names,
  creator,
  creator_is_wallet: isWallet,
  migrate_t: unixSeconds.describe('block time of the migration, unix seconds'),
  graduated: boolean
    .nullable()
    .describe(
      `true: the curve was witnessed at or above ${inSol(GRADUATION_LAMPORTS)} SOL; false: a close below it; null where the curve is not paired with SOL, or trades may be missing`,
    ),
  curve: fields({
    peak_rs_sol: sol
      .nullable()
      .describe('highest real SOL of the curve before the migration; where graduated is null for a gap, as far as it was seen'),
    pool: address.describe('pool it moved to'),
  }),
  position: position.describe('chain position of the migration: chain:slot.transaction.outer.inner instruction'),
  finality: finalityNow,
  holders: fields({
    n_holders: count.nullable().describe('wallets that hold the token; curve and pool accounts are never holders'),
    top5_share: share.nullable().describe('tokens of the five largest holders / total supply'),
    bundle_share: share.nullable().describe('tokens that the wallets of the bundle still hold / total supply'),
    insider_share: share.nullable().describe('tokens of insider wallets / total supply; see the card of the mint'),
    insider_share_reason: text.optional().describe('what of the funding of wallets is not known'),
  })
    .nullable()
    .describe('who holds the token now, as far as its newest event tells; null once the rows of the mint were forgotten, or after a gap'),
  ...priorAtLaunch,
})
export type Graduation = z.output<typeof graduation>

const NOT_DELIVERED = 'slots that were not delivered within the window, the newest gap'

const windowOf = (flags: FlagSchemas) => {
  const { coverage_reason: reason, ...gaps } = missing(NOT_DELIVERED)
  return fields({
    window_s: wholeSeconds.describe('length of the window, which ends at as_of, seconds'),
    launches: count.describe('launches in it'),
    observed_s: seconds.describe('of the window, seconds in which the chain was observed: capture may have begun within it, or failed'),
    launches_per_hour: z.number().min(0).nullable().describe('launches per observed hour'),
    mayhem_share: share.nullable().describe('share of them in mayhem mode; null where there were none'),
    buys: count.describe('buys, curves and pools'),
    sells: count.describe('sells, curves and pools'),
    buy_sol: sol.describe('SOL paid in buys'),
    sell_sol: sol.describe('SOL got in sells'),
    failed_share: share.nullable().describe('share of transactions of the launchpad that failed; null where they were not counted'),
    migrations: count.describe('curves that went to a pool'),
    true_graduations: count.describe(`of these, curves witnessed at or above ${inSol(GRADUATION_LAMPORTS)} SOL`),
    rug_flags: flags.counts.describe('flags that fired, by mechanism'),
    coverage: z.enum(['full', 'thin']).describe('full while the capture had no gap within the window; else thin with the reason'),
    coverage_reason: reason.optional(),
    ...gaps,
  }).nullable()
}
export type Window = NonNullable<z.output<ReturnType<typeof windowOf>>>

export const regime = (flags: FlagSchemas) => {
  const window = windowOf(flags)
  const windows = {
    as_of: unixSeconds.nullable().describe('newest tick that the figures hold, unix seconds'),
    minute: window.describe('the last minute'),
    hour: window.describe('the last hour'),
    day: window.describe('the last day'),
  }
  return { full: fields(windows), thin: fields({ ...windows, ...missing(NOT_DELIVERED) }) }
}
