// What each field of the compact checks, of the free watch and of coverage means, by dotted path.
import { DEMAND_WINDOW_S, GRADUATION_LAMPORTS } from '../../processors/mint/thresholds.ts'
import { WATCH_EVENTS } from '../../processors/mint/watch-events.ts'
import { CURSOR_S } from '../cursors.ts'
import { sol } from './states.ts'

const CURSOR = `what the holder of this text was shown of exactly these mints, signed; good for ${CURSOR_S / 3_600} h by the clock of the cards`

/** `data` of `/v1/check/mint/{mint}` and `/v1/check/watchlist`. */
export const checkFields: Readonly<Record<string, string>> = {
  status:
    'flags_observed: at least one finding of at least one mint; no_flags_observed: none, which is no guarantee; no_new_events: nothing was confirmed that the cursor does not know, and nothing is charged',
  result_id: 'names this result: copies of it have the same',
  count: 'items; 0 where nothing is new',
  items: 'the mints in the order asked; empty where nothing is new',
  'items[].mint': 'token address',
  'items[].status': 'flags_observed or no_flags_observed',
  'items[].lifecycle': 'see lifecycle; by steps that the chain has confirmed',
  'items[].risk_label': 'see risk_label; rug_flagged by confirmed findings alone',
  'items[].new_events':
    'confirmed events of this mint that the cursor sent does not know, by the names of watch_events; without a cursor all that were confirmed; empty where this mint has nothing new',
  'items[].findings': 'rug flags of slots that the chain has confirmed, oldest first; a flag of a processed slot is left out until then',
  'items[].findings[].code': 'mechanism; see rug_flags',
  'items[].findings[].first_seen_at': 'block time of the causing event, unix seconds',
  'items[].findings[].finding_id': 'names the finding; /v1/evidence/{finding_id} tells what became of it',
  'items[].findings[].finality': 'confirmed or finalized; see finality',
  'items[].findings[].is_new': 'true: the cursor sent does not know this finding; without a cursor every finding is new',
  'items[].findings[].evidence': 'what was measured; see rug_flags',
  'items[].snapshot_slot': 'slot of the newest event of the mint, not of its findings',
  'items[].last_trade_at': 'unix seconds; null before the first trade',
  'items[].concentration.top5_share': 'coins of the five largest holders / total supply',
  'items[].concentration.dev_share': 'coins of the dev set / total supply',
  'items[].concentration.bundle_share': 'coins still held by wallets that bought in the create slot, dev set apart / total supply',
  'items[].concentration.insider_share':
    'coins of insiders / total supply, as far as payments are known; see holders.insider_share of mint',
  'items[].buyer_flow.unique_buyers_60s': `wallets that bought in the ${DEMAND_WINDOW_S} s before t`,
  'items[].buyer_flow.buys_60s': `buys in the ${DEMAND_WINDOW_S} s before t`,
  'items[].buyer_flow.sells_60s': `sells in the ${DEMAND_WINDOW_S} s before t`,
  'items[].buyer_flow.net_sol_60s': `SOL in less SOL out in the ${DEMAND_WINDOW_S} s before t, without fees`,
  'items[].buyer_flow.inflow_stalled': 'as demand.inflow_stalled of mint',
  'items[].curve.rs_sol': 'real SOL in the curve; as of the migration once it has migrated',
  'items[].curve.peak_rs_sol': 'highest real SOL before migration',
  'items[].curve.drawdown_from_peak': '1 - rs / peak',
  'items[].curve.graduated': `true: witnessed at or above ${sol(GRADUATION_LAMPORTS)} SOL; false: closed or migrated without, confirmed; null: still open`,
  'items[].full_card_url': 'address of the full card',
  cursor: CURSOR,
  watch_events: `what moves a cursor, once it is confirmed: ${WATCH_EVENTS.join(', ')} (each step of the lifecycle). Trades, ages and totals never do`,
  changed: 'false: nothing is new',
  charged: 'false: nothing was charged, and a payment that was sent can still be used',
  next_check_after_s: 'suggested time until the next check, seconds',
}

/** `data` of `/v1/check/watch`. */
export const watchFields: Readonly<Record<string, string>> = {
  has_new_events: 'something was confirmed that the cursor does not know; a compact check with this cursor shows what',
  cursor: `${CURSOR}. The free watch shows nothing, so that its cursor knows no more than the one it was given`,
  mints: 'as asked',
  next_check_after_s: 'suggested time until the next look, seconds',
}

/** `data` of `/v1/evidence/{finding_id}`. */
export const evidenceFields: Readonly<Record<string, string>> = {
  finding_id: 'as asked: position@hash8:detector:mint',
  status:
    'stands; retracted: a fork took it back, or a newer version of a detector no longer finds it; withheld: its slot is younger than delayed_s, so that nothing is said of whether there is such a finding',
  mint: 'token address',
  flag: 'mechanism; see rug_flags',
  detector_id: 'who found it',
  detector_version: 'version of the detector',
  first_seen_at: 'block time of the causing event, unix seconds',
  mint_age_at_flag_s: 'seconds since the launch then',
  position: 'chain position of the causing event: chain:slot.transaction.outer.inner instruction',
  finality: 'see finality; null for a finding that was retracted',
  evidence: 'what was measured; see rug_flags',
  events: 'ids (position@hash8) of the events that prove it, the causing one last',
  free_at: 'withheld: when it may be asked again, unix seconds, by the number of its slot',
  delayed_s: 'findings younger than this are not shown here, seconds',
}

/** `data` of `/v1/check/coverage`. */
export const coverageFields: Readonly<Record<string, string>> = {
  'items[].mint': 'token address',
  'items[].coverage': 'see coverage; only mints with full coverage can be checked and watched',
  'items[].reason': 'why coverage is what it is',
  all_full: 'every mint can be checked, while feed_lag_s is at most max_feed_lag_s',
  feed_lag_s: 'as meta.feed_lag_s',
  'prices.single_usd': 'what /v1/check/mint/{mint} costs',
  'prices.watchlist_usd': 'what /v1/check/watchlist costs, 1 to 5 mints alike',
}
