// `data` of `/v1/wallet/{address}`.
import { z } from 'zod'
import { HOLDINGS_MINTS_MAX, RESULTS_S } from '../../processors/wallet/live-holding.ts'
import { FUNDING_S } from '../../processors/wallet/wallet.ts'
import { creatorStats, funderPrior, payment, paymentPosition } from './creator.ts'
import { missing } from './envelope.ts'
import { address, count, fields, seconds, share, signedSol, sol, unixSeconds, wholeSeconds } from './vocabulary.ts'

const results = z.strictObject({
  n_positions: count.describe('coins it traded'),
  n_closed: count.describe('positions in which it sold at least what it bought'),
  n_won: count.describe('closed positions with a gain'),
  n_sniped: count.describe('positions first bought within 2 slots of the launch'),
  n_with_role: count.describe('positions in coins at whose launch it was of the dev set, the bundle or the insiders'),
  n_trades: count.describe('trades'),
  realized_sol: signedSol.describe(
    'SOL got for coins sold, fees taken off, less what they had cost: coins sold x (SOL paid with fees / coins bought) of the window; coins of which none was bought in it are left out, because their cost is not known',
  ),
})

const leaderboard = fields({
  class: z
    .enum(['insider', 'sniper', 'skilled', 'crowd'])
    .nullable()
    .describe(
      'first that holds. insider: of the dev set, the bundle or the insiders of the launch in 30 % of its positions or more; sniper: at least 5 positions, half of them or more first bought within 2 slots of the launch; skilled: at least 10 closed positions, a gain over all, 55 % or more of the closed ones with a gain; crowd: everyone else',
    ),
  rank: count.nullable().describe('1 is the highest realised result; equal results share a rank'),
  stats: results,
  as_of: unixSeconds.nullable().describe('every trade up to here is counted, unix seconds'),
  window_s: wholeSeconds.describe('length of the window before as_of, seconds'),
})

const holding = fields({
  mint: address.describe('token address'),
  tokens_share: share.nullable().describe('tokens it holds / total supply'),
  first_buy_slot: count.nullable().describe('slot of its first buy'),
  rs_sol: sol.nullable().describe('SOL in the curve now; of a curve that migrated as of the migration'),
})

const record = {
  wallet: address.describe('the wallet that was asked about, as events name it: who trades through the account of a router is not seen'),
  leaderboard: leaderboard.describe(
    `trades of ${RESULTS_S / 86_400} days on curves and in pools against SOL; the window moves by ten minutes`,
  ),
  as_creator: creatorStats.nullable().describe('stats of /v1/creator/{address}; null for a wallet that launched nothing'),
  live_holdings_recent_mints: z
    .array(holding)
    .describe(`what it holds now of the newest ${HOLDINGS_MINTS_MAX} launches that are still followed, newest launch first`),
  funding_source: fields({
    ...payment,
    position: paymentPosition,
    seconds_ago: seconds.describe('seconds from the payment to the answer'),
    funder_prior: funderPrior('what the funder has launched itself, as of now'),
  })
    .nullable()
    .describe(
      `newest SOL transfer of at least 0.1 SOL into the wallet: of the last ${FUNDING_S / 60} min from the stream, else the newest that the history holds`,
    ),
}

export const wallet = {
  full: fields(record),
  thin: fields({
    ...record,
    ...missing(
      'slots that were not delivered within the window, the newest gap',
      'trades before it are not known: the first frame that was captured, or the oldest whose trades are kept, unix seconds',
    ),
  }),
}
export type Wallet = z.output<typeof wallet.full | typeof wallet.thin>
