// What each field of cards means, by dotted path; `[]` stands for each item of a list. Context fields are those added when the card is sent.
import { HORIZON_DAYS, SELLS_MAX } from '../../processors/creator/horizon.ts'
import {
  COMPLETION_LAMPORTS,
  DEMAND_WINDOW_S,
  GRADUATION_LAMPORTS,
  INSIDERS_SHOWN_MAX,
  NEW_BUYER_WINDOW_S,
  QUIET_S,
  REVERSED_PERCENT,
  STALL_AGE_S,
} from '../../processors/mint/thresholds.ts'
import { onchainFields } from './onchain-fields.ts'
import { sol } from './states.ts'

const identityFields = {
  mint: 'token address',
  name: 'untrusted text of the creator: hidden characters removed, cut to 32 characters',
  symbol: 'untrusted text of the creator: hidden characters removed, cut to 16 characters',
  creator: 'creator named at launch',
  created_at: 'time of the launch, unix seconds',
  age_s: 'whole seconds since the launch, against t',
  coverage: 'see coverage',
  coverage_reason: 'why coverage is thin',
  coverage_range: 'slots that were not delivered while the mint was open',
  'coverage_range.from_slot': 'first of them',
  'coverage_range.to_slot': 'last of them',
  status: 'see status',
  risk_label: 'see risk_label',
}

const blockFields = {
  'curve.rs_sol': 'real SOL in the curve now; null on curves of another quote',
  'curve.peak_rs_sol': 'highest real SOL before migration',
  'curve.progress': `real SOL / ${sol(COMPLETION_LAMPORTS)}, at most 1; share of the curve's tokens sold for mayhem and other quotes`,
  'curve.drawdown_from_peak': '1 - rs / peak',
  'curve.complete': 'the curve sold its last token',
  'curve.migrated': 'the pool was seen',
  'curve.graduated': `true: witnessed at or above ${sol(GRADUATION_LAMPORTS)} SOL; false: closed or migrated without; null: still open`,
  'curve.is_mayhem': 'launched in mayhem mode; the agent’s own trades are left out of demand and holders',
  'curve.dev_buy_sol': 'SOL the dev set spent in the create slot',
  'curve.quote_mint': 'what the curve is paired with',
  'curve.pool': 'pool of the migration',
  'demand.unique_buyers': 'wallets that ever bought',
  'demand.buys_60s': `buys in the ${DEMAND_WINDOW_S} s before t; 0 on a stale feed says little (meta.is_stale)`,
  'demand.sells_60s': `sells in the ${DEMAND_WINDOW_S} s before t`,
  'demand.net_sol_60s': `SOL in less SOL out in the ${DEMAND_WINDOW_S} s before t, without fees`,
  'demand.inflow_stalled': `older than ${STALL_AGE_S} s and no new unique buyer in the last ${NEW_BUYER_WINDOW_S} s`,
  'demand.n_buys': 'buys since launch, curve and pool',
  'demand.n_sells': 'sells since launch, curve and pool',
  'demand.last_trade_at': 'time of the newest trade, unix seconds',
  'holders.n_holders': 'wallets that hold the token; curve and pool accounts are never holders',
  'holders.top5_share': 'tokens of the five largest holders / total supply',
  'holders.hhi': 'sum of squared holder shares of circulating tokens',
  'holders.dev_share': 'tokens of the dev set / total supply',
  'holders.bundle_share':
    'tokens that the wallets of the bundle still hold / total supply; bundle: wallets outside the dev set that bought in the create slot',
  'holders.insider_share': 'tokens of insider wallets / total supply; the dev set counts in dev_share, not here',
  'holders.n_bundle_wallets': 'wallets in the bundle',
  'holders.bundle_dumped': 'they have sold more than half of what they bought in the create slot',
  'holders.supply_tokens': 'total supply: denominator of the shares',
  'holders.circulating_tokens': 'tokens outside curve and pool: denominator of hhi',
  'holders.n_insider_wallets': 'insider wallets that hold tokens',
  'holders.insiders': `the largest of them, at most ${INSIDERS_SHOWN_MAX}`,
  'holders.insiders[].wallet': 'insider wallet',
  'holders.insiders[].rule':
    'a: got tokens off the curve before completion; b: funded by the creator or its funder; c: bought in the create transaction',
  'holders.insiders[].tokens_share': 'its tokens / total supply',
}

/** What a creator had done before a launch, in short. */
export const priorFields = (field: string) => ({
  [`${field}.n_launches`]: `launches of the creator, in the ${HORIZON_DAYS} days before (whole UTC days) and as far back as the service observed`,
  [`${field}.grad_rate`]: 'graduated / resolved; resolved: settled before this launch with both labels known; null while none is',
  [`${field}.rug_rate`]: 'rugged / resolved, by the rule of outcome.rugged',
})

const creatorFields = {
  creator_prior_at_launch:
    'launches and outcomes of the creator whose chain position is before this launch, and nothing that settled later; null while the answer is pending (8 to 11 slots after the launch)',
  ...priorFields('creator_prior_at_launch'),
  'creator_prior_at_launch.n_resolved': 'those of the launches that had settled with both labels known: denominator of the rates',
  'creator_prior_at_launch.median_dev_sell_s': `median seconds from launch to the first sell of the dev set, of the resolved launches in which it sold (the newest ${SELLS_MAX})`,
  'creator_prior_at_launch.is_first_time': 'no launch of the creator was seen since observed_since',
  'creator_prior_at_launch.observed_since': 'nothing before this time is counted, unix seconds',
  warm_launch: 'newest SOL transfer of at least 0.1 SOL into the creator in the 30 min before launch',
}

const rugFlagFields = {
  rug_flags: 'flags that fired, oldest first; see rug_flags',
  'rug_flags[].flag': 'which',
  'rug_flags[].first_seen_at': 'block time of the causing event, unix seconds',
  'rug_flags[].position': 'chain position of the causing event: chain:slot.transaction.outer.inner instruction',
  'rug_flags[].finding_id': 'stable id of the finding; a fork that takes it back never gives it to another',
  'rug_flags[].detector_id': 'which detector found it',
  'rug_flags[].detector_version': 'version of that detector',
  'rug_flags[].finality': 'see finality, when the answer was sent',
  'rug_flags[].evidence': 'what was measured; see rug_flags.<flag>.evidence',
}

/** The settled record of a launch: `history` of a thin card, `outcome` of a full one. */
const recordFields = (field: 'history' | 'outcome') => ({
  [`${field}.mint`]: 'token address',
  [`${field}.creator`]: 'creator named at launch',
  [`${field}.t0`]: 'time of the launch, unix seconds',
  [`${field}.slot0`]: 'slot of the launch',
  [`${field}.settled_at`]: 'when the record was settled, unix seconds; the first settlement stands',
  [`${field}.settled_by`]: 'what settled it',
  [`${field}.graduated`]: 'as curve.graduated, settled',
  [`${field}.rugged`]:
    'DRAIN (real SOL reached 5 and fell to 25 % of its peak or less before migration) or DEV DUMP (the dev set sold at least half of all it ever got); not the same measurement as rug_flags',
  [`${field}.rug_kind`]: 'drain or dev_dump, whichever came first',
  [`${field}.rug_dt_s`]: 'seconds from launch to the rug',
  [`${field}.peak_rs`]: 'highest real SOL of the curve',
  [`${field}.terminal_rs`]: 'real SOL of the curve at the settlement',
  [`${field}.dev_first_sell_dt_s`]: 'seconds from launch to the first sell of the dev set',
  [`${field}.dev_buy_sol`]: 'SOL the dev set spent in the create slot',
  [`${field}.reached_5_sol`]: 'real SOL reached 5',
  [`${field}.n_trades`]: 'trades',
  [`${field}.n_buyers`]: 'wallets that bought',
  [`${field}.is_mayhem`]: 'launched in mayhem mode',
  [`${field}.self_graduated`]: 'the dev set bought the curve out within the create slot',
  [`${field}.censored`]: 'why there is no label; null for a complete record',
  [`${field}.reopened_at`]: 'first trade after the settlement, unix seconds',
})

const nextFields = {
  next: 'paths that lead on, relative to the base address; null where this version does not serve one',
  'next.creator': 'record of the creator',
  'next.regime': 'market regime',
  'next.rugs': 'recent rugs',
}

/** `data` of `/v1/mint/{mint}`, full and thin. */
export const cardFields: Readonly<Record<string, string>> = {
  ...identityFields,
  dev_wallets: 'the dev set: who called create, and the creator it named when that is a wallet',
  confidence: 'see confidence; context',
  why: 'the facts behind risk_label, in sentences',
  ...blockFields,
  'exit_signals.creator_sold': 'the dev set has sold',
  'exit_signals.top5_holder_sold_recent': `a wallet that was in the top 5 sold in the last ${DEMAND_WINDOW_S} s`,
  'exit_signals.inflow_stalled': 'as demand.inflow_stalled',
  'exit_signals.progress_reversed': `the curve is open and its real SOL is below ${REVERSED_PERCENT} % of its peak`,
  ...creatorFields,
  ...rugFlagFields,
  flags: 'the six mechanisms: true fired, false looked for and not fired, null not looked for',
  ...Object.fromEntries(
    ['creator_sold', 'bundle_dumped', 'curve_drained', 'pool_drained', 'curve_closed_low', 'migrate_below_grad'].map((flag) => [
      `flags.${flag}`,
      `see rug_flags.${flag}`,
    ]),
  ),
  creator_changes: 'changes of the creator after launch, oldest first, the newest 20; they do not move the dev set',
  'creator_changes[].creator': 'the new one',
  'creator_changes[].kind': 'how it was changed',
  'creator_changes[].at': 'when, unix seconds',
  'creator_changes[].position': 'chain position of the change',
  outcome: `the settled record; null until the mint migrates or has no trade for ${QUIET_S} s`,
  ...recordFields('outcome'),
  'as_of.position': 'newest event of this mint that the card rests on',
  'as_of.at': 'its time, unix seconds',
  history: 'thin: the settled record of the launch',
  ...recordFields('history'),
  ...onchainFields,
  creator_prior: 'thin: as creator_prior_at_launch, in short',
  ...priorFields('creator_prior'),
  'last_seen.position': 'thin: newest event of this mint',
  'last_seen.at': 'its time, unix seconds',
  'last_seen.rs_sol': 'real SOL of the curve after it',
  'last_seen.complete': 'as curve.complete, then',
  'last_seen.migrated': 'as curve.migrated, then',
  'last_seen.is_mayhem': 'as curve.is_mayhem',
  flags_fired: 'thin: flags that had fired before the rows were forgotten',
  base_rates: 'rates over resolved launches of the trailing 7 days by launch time; context',
  'base_rates.window_days': 'length of the window, days',
  'base_rates.launches': 'resolved launches in it: the denominator of all rates',
  'base_rates.grad_rate': 'share that graduated',
  'base_rates.rug_rate': 'share that rugged, by the rule of outcome.rugged',
  'base_rates.dev_sold_rate': 'share whose dev set sold',
  'base_rates.reached_5_sol_rate': 'share whose curve reached 5 SOL',
  'base_rates.as_of': 'when the rates were made, unix seconds; they are made anew each minute',
  ...nextFields,
}

/** An item of `/v1/launches/recent`; what a thin item's curve holds is as in last_seen. */
export const launchFields: Readonly<Record<string, string>> = {
  ...identityFields,
  ...blockFields,
  demand: 'null where coverage is thin',
  holders: 'null where coverage is thin',
  'curve.position': 'thin: newest event of this mint',
  'curve.at': 'thin: its time, unix seconds',
  ...creatorFields,
  ...rugFlagFields,
}
