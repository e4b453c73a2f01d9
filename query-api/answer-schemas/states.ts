// Meanings of states and labels. Their figures come from the thresholds of the code that assigns them.
import type { RiskLabel, Status } from '../../processors/mint/card/labels.ts'
import {
  CONCENTRATED_BUNDLE_SHARE,
  CONCENTRATED_INSIDER_SHARE,
  CONCENTRATED_TOP5_SHARE,
  CONFIDENT_LAG_S,
  CONFIDENT_TRADES,
  DEMAND_WINDOW_S,
  GRADUATION_LAMPORTS,
  LAMPORTS_PER_SOL,
  MEDIUM_LAG_S,
  MEDIUM_TRADES,
  NEW_BUYER_WINDOW_S,
  SILENT_S,
  STALL_AGE_S,
} from '../../processors/mint/thresholds.ts'

/** Lamports as SOL, for sentences. */
export const sol = (lamports: number): number => lamports / LAMPORTS_PER_SOL

export const coverage = {
  full: `of a mint: its launch was witnessed, no trade of it can be missing because of a gap, and it had an event in the last ${SILENT_S / 3600} h; of a list: capture began before its period, and no gap in it is known`,
  thin: 'everything else; coverage_reason states why. A card has only what is still known; a list may lack items',
}

export const status: Readonly<Record<Status, string>> = {
  live_curve: 'the bonding curve is open for trades (thin: as of its last event)',
  curve_complete: 'the curve is complete, and its pool was not observed yet',
  migrated_graduated: `the pool was observed, and the curve was witnessed at or above ${sol(GRADUATION_LAMPORTS)} SOL`,
  migrated_below_grad: `the pool was observed, and the curve was never witnessed at or above ${sol(GRADUATION_LAMPORTS)} SOL`,
  historical: 'thin: the settled record of the launch is known',
  onchain_only:
    'thin: no settled record is known, and one of these applies: the launch is not stored, its curve has migrated, or only account state is known',
  not_launchpad: 'thin: no bonding curve account exists for the address',
  not_observed: 'thin: no record is known, and the account state was not read (onchain_reason states why)',
}

/** In the order of evaluation: the first that applies is the label. */
export const riskLabel: Readonly<Record<RiskLabel, string>> = {
  unknown: 'coverage is thin',
  rug_flagged: 'at least one rug flag has fired',
  mayhem: 'launched in mayhem mode: an agent trades on the curve',
  concentrated: `top5_share >= ${CONCENTRATED_TOP5_SHARE}, or bundle_share >= ${CONCENTRATED_BUNDLE_SHARE}, or insider_share >= ${CONCENTRATED_INSIDER_SHARE}`,
  stalled: `older than ${STALL_AGE_S} s, and no new buyer for ${NEW_BUYER_WINDOW_S} s or no buy in ${DEMAND_WINDOW_S} s`,
  active: 'none of the above',
}

export const confidence = {
  high: `full coverage, at least ${CONFIDENT_TRADES} trades and a feed lag below ${CONFIDENT_LAG_S} s`,
  medium: `not high, but full coverage, at least ${MEDIUM_TRADES} trades and a feed lag below ${MEDIUM_LAG_S} s`,
  low: 'everything else',
}

export const finality = {
  processed: 'the chain may still drop the slot',
  confirmed: 'a supermajority voted for the slot',
  finalized: 'the slot cannot be dropped; always so for recordings',
}

export const lifecycle = 'live_curve -> curve_complete -> migrated_graduated or migrated_below_grad'

export const nulls = 'a null field has its reason in <field>_reason; nothing is guessed'
