// What each field of a wallet's record means, by dotted path.
import { HOLDINGS_MINTS_MAX, RESULTS_S } from '../../processors/wallet/live-holding.ts'
import { FUNDING_S } from '../../processors/wallet/wallet.ts'
import { creatorRecordFields } from './creator-fields.ts'

const DAYS = RESULTS_S / 86_400

const asCreatorFields = Object.fromEntries(
  Object.entries(creatorRecordFields).flatMap(([path, meaning]) =>
    path.startsWith('stats.') ? [[path.replace('stats.', 'as_creator.'), meaning]] : [],
  ),
)

/** `data` of `/v1/wallet/{address}`. */
export const walletFields: Readonly<Record<string, string>> = {
  wallet: 'the wallet that was asked about, as events name it: who trades through the account of a router is not seen',
  leaderboard: `trades of ${DAYS} days on curves and in pools against SOL; the window moves by ten minutes`,
  'leaderboard.class':
    'first that holds. insider: of the dev set, the bundle or the insiders of the launch in 30 % of its positions or more; sniper: at least 5 positions, half of them or more first bought within 2 slots of the launch; skilled: at least 10 closed positions, a gain over all, 55 % or more of the closed ones with a gain; crowd: everyone else',
  'leaderboard.rank': '1 is the highest realised result; equal results share a rank',
  'leaderboard.stats.n_positions': 'coins it traded',
  'leaderboard.stats.realized_sol':
    'SOL got for coins sold, fees taken off, less what they had cost: coins sold x (SOL paid with fees / coins bought) of the window; coins of which none was bought in it are left out, because their cost is not known',
  'leaderboard.stats.n_closed': 'positions in which it sold at least what it bought',
  'leaderboard.stats.n_won': 'closed positions with a gain',
  'leaderboard.stats.n_sniped': 'positions first bought within 2 slots of the launch',
  'leaderboard.stats.n_with_role': 'positions in coins at whose launch it was of the dev set, the bundle or the insiders',
  'leaderboard.stats.n_trades': 'trades',
  'leaderboard.as_of': 'every trade up to here is counted, unix seconds',
  'leaderboard.window_s': 'length of the window before as_of, seconds',
  as_creator: 'stats of /v1/creator/{address}; null for a wallet that launched nothing',
  ...asCreatorFields,
  live_holdings_recent_mints: `what it holds now of the newest ${HOLDINGS_MINTS_MAX} launches that are still followed, newest launch first`,
  'live_holdings_recent_mints[].mint': 'token address',
  'live_holdings_recent_mints[].tokens_share': 'tokens it holds / total supply',
  'live_holdings_recent_mints[].first_buy_slot': 'slot of its first buy',
  'live_holdings_recent_mints[].rs_sol': 'SOL in the curve now; of a curve that migrated as of the migration',
  funding_source: `newest SOL transfer of at least 0.1 SOL into the wallet: of the last ${FUNDING_S / 60} min from the stream, else the newest that the history holds`,
  'funding_source.funder': 'who paid',
  'funding_source.amount_sol': 'SOL paid',
  'funding_source.funded_at': 'when, unix seconds',
  'funding_source.position': 'chain position of the payment',
  'funding_source.seconds_ago': 'seconds from the payment to the answer',
  'funding_source.funder_prior': 'what the funder has launched itself, as of now',
  'funding_source.funder_prior.n_launches': 'its launches in the last 90 days, as far as the service observed',
  'funding_source.funder_prior.rug_rate': 'rugged / resolved of them; null while none is resolved',
  coverage_reason: 'why coverage is thin: what may be missing',
  observed_since: 'trades before it are not known: the first frame that was captured, or the oldest whose trades are kept, unix seconds',
  coverage_range: 'slots that were not delivered within the window, the newest gap',
  'coverage_range.from_slot': 'first of them',
  'coverage_range.to_slot': 'last of them',
}
