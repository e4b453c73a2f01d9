// What every state and label means. Thresholds are those of the code that decides.
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
  full: `the launch was witnessed, no gap is open, and the mint was heard from in the last ${SILENT_S / 3600} h; a list: no gap is known`,
  thin: 'anything else; coverage_reason says why. Only history and on-chain state are given, as far as known',
}

export const status: Readonly<Record<Status, string>> = {
  live_curve: 'the bonding curve takes trades (thin: when it was last heard from)',
  curve_complete: 'the curve is complete and its pool was not seen yet',
  migrated_graduated: `the pool was seen, and the curve was witnessed at or above ${sol(GRADUATION_LAMPORTS)} SOL`,
  migrated_below_grad: `the pool was seen, and the curve was never witnessed at or above ${sol(GRADUATION_LAMPORTS)} SOL`,
  historical: 'thin: a settled record of the launch is held',
  onchain_only: 'thin: only single events of the mint, or account state, are known',
  not_launchpad: 'thin: no bonding curve account exists for the address',
  not_observed: 'thin: no record is held, and the chain was not asked (onchain_reason says why)',
}

/** In the order in which they are tried: the first that holds is the label. */
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
  medium: `full coverage, and ${MEDIUM_TRADES} to ${CONFIDENT_TRADES - 1} trades with a lag below ${MEDIUM_LAG_S} s, or at least ${CONFIDENT_TRADES} trades with a lag of ${CONFIDENT_LAG_S} s or more but below ${MEDIUM_LAG_S} s`,
  low: 'everything else',
}

export const finality = {
  processed: 'the chain may still drop the slot',
  confirmed: 'a supermajority voted for the slot',
  finalized: 'the slot cannot be dropped; always so for recordings',
}

export const lifecycle = 'live_curve -> curve_complete -> migrated_graduated or migrated_below_grad'

export const nulls = 'null is never a guess: beside each null field stands <field>_reason'
