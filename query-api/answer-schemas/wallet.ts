// Schema of `data` of `/v1/wallet/{address}`.
import * as z from 'zod'
import { HOLDINGS_MINTS_MAX, RESULTS_S } from '../../processors/wallet/live-holding.ts'
import { FUNDING_S } from '../../processors/wallet/wallet.ts'
import { creatorStats, funderPrior, payment, paymentPosition } from './creator.ts'
import { missing } from './envelope.ts'
import { address, count, fields, seconds, share, signedSol, sol, unixSeconds, wholeSeconds } from './vocabulary.ts'

const results = z.strictObject({
  n_positions: count.describe('tokens it traded'),
  n_closed: count.describe('positions in which it sold at least as many tokens as it bought'),
  n_won: count.describe('closed positions with a profit'),
  n_sniped: count.describe('positions first bought within 2 slots of the launch'),
  n_with_role: count.describe('positions in tokens in which it belongs to the dev set, the bundle or the insiders of the launch'),
  n_trades: count.describe('trades'),
  realized_sol: signedSol.describe(
    'SOL received for tokens sold, after fees, minus their cost: tokens sold x (SOL paid with fees / tokens bought), within the window; tokens without a buy in the window are excluded, because their cost is not known',
  ),
})

const leaderboard = fields({
  class: z
    .enum(['insider', 'sniper', 'skilled', 'crowd'])
    .nullable()
    .describe(
      'the first that applies. insider: in the dev set, the bundle or the insiders of the launch in at least 30 % of its positions; sniper: at least 5 positions, at least half of them first bought within 2 slots of the launch; skilled: at least 10 closed positions, a profit overall, at least 55 % of the closed ones with a profit; crowd: every other wallet',
    ),
  rank: count.nullable().describe('rank by realised result, 1 is the highest; equal results share a rank'),
  stats: results,
  as_of: unixSeconds.nullable().describe('all trades up to this time are counted, unix seconds'),
  window_s: wholeSeconds.describe('length of the window before as_of, seconds'),
})

const holding = fields({
  mint: address.describe('token address'),
  tokens_share: share.nullable().describe('tokens it holds / total supply'),
  first_buy_slot: count.nullable().describe('slot of its first buy'),
  rs_sol: sol.nullable().describe('SOL in the curve now; after migration, as of the migration'),
})

const record = {
  wallet: address.describe(
    'the requested wallet. Its trades are those whose events name it: trades through the account of a router are not attributed to it',
  ),
  leaderboard: leaderboard.describe(
    `results of trades of ${RESULTS_S / 86_400} days on curves and in pools against SOL; the window moves in steps of ten minutes`,
  ),
  as_creator: creatorStats.nullable().describe('stats of /v1/creator/{address}; null for a wallet without launches'),
  live_holdings_recent_mints: z
    .array(holding)
    .describe(`tokens that the wallet holds now, among the newest ${HOLDINGS_MINTS_MAX} launches in the stores, newest launch first`),
  funding_source: fields({
    ...payment,
    position: paymentPosition,
    seconds_ago: seconds.describe('seconds from the transfer to the answer'),
    funder_prior: funderPrior("the funder's own launches, as of now"),
  })
    .nullable()
    .describe(
      `newest SOL transfer of at least 0.1 SOL to the wallet: from the stream within the last ${FUNDING_S / 60} min, else the newest in the history`,
    ),
}

export const wallet = {
  full: fields(record),
  thin: fields({
    ...record,
    ...missing(
      'newest gap within the window: slots that were not delivered',
      'start of the known trades (the first captured frame, or the oldest frame whose trades are kept), unix seconds',
    ),
  }),
}
export type Wallet = z.output<typeof wallet.full | typeof wallet.thin>
