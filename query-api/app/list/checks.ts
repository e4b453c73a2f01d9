// The compact checks: two that are paid, two free ones that say whether paying is worth it, and what became of a finding.

import { answerEvidence, evidenceParams } from '../../answers/cards/evidence.ts'
import {
  answerCheckMint,
  answerWatchlist,
  checkMintInstead,
  checkMintParams,
  watchlistInstead,
  watchlistParams,
} from '../../answers/checks/check.ts'
import { answerCoverage, coverageParams } from '../../answers/checks/check-coverage.ts'
import { CHECK_LAG_S_MAX } from '../../answers/checks/check-ground.ts'
import { answerWatch, watchParams } from '../../answers/checks/check-watch.ts'
import { alwaysFull } from '../../answers/coverage-now.ts'
import { DELAY_S } from '../../answers/delay.ts'
import { type Question, question } from '../../answers/question.ts'
import { FEED_LAG_S_MAX, NO_SUBJECT, UNTIMED } from './shared.ts'

const PAID = {
  coverageRule: 'always full: where a mint lacks full live coverage the check is refused unpaid (404)',
  feedLagSMax: CHECK_LAG_S_MAX,
  typical: { latencyMs: null, freshnessS: 5 },
  contentStatus: 400,
  secondNetwork: true,
} as const

export const checkQuestions: readonly Question[] = [
  question(
    {
      ...PAID,
      path: '/v1/check/mint/{mint}',
      tool: 'check_launchpad_risk',
      title: 'Compact risk check of one mint',
      priceMicroUsdc: 5_000,
      params: checkMintParams,
      description:
        'What was found of one mint, confirmed findings only: flags with evidence, concentration, buyer flow and curve. With a cursor it is free while nothing is new.',
      example: '/v1/check/mint/{mint}',
    },
    answerCheckMint,
    checkMintInstead,
    alwaysFull,
  ),
  question(
    {
      ...PAID,
      path: '/v1/check/watchlist',
      tool: 'check_watchlist_risk',
      title: 'Compact risk check of up to five mints',
      priceMicroUsdc: 10_000,
      params: watchlistParams,
      description:
        'The compact check of 1 to 5 mints for one price, confirmed findings only. With a cursor it is free while nothing is new of any of them.',
      example: '/v1/check/watchlist?mints={mint}',
    },
    answerWatchlist,
    watchlistInstead,
    alwaysFull,
  ),
  question(
    {
      path: '/v1/check/coverage',
      tool: 'check_coverage',
      title: 'Coverage of mints, and prices',
      priceMicroUsdc: 0,
      params: coverageParams,
      coverageRule: 'full when every mint asked about has full live coverage, else thin; each item says its own',
      feedLagSMax: CHECK_LAG_S_MAX,
      typical: UNTIMED,
      description: 'Whether 1 to 5 mints can be checked now, and what the single and the batch check cost.',
      example: '/v1/check/coverage?mints={mint}',
    },
    answerCoverage,
  ),
  question(
    {
      path: '/v1/check/watch',
      tool: 'watchlist_updates',
      title: 'Watch of mints',
      priceMicroUsdc: 0,
      params: watchParams,
      coverageRule: 'always full: where a mint lacks full live coverage the watch is refused (404)',
      feedLagSMax: CHECK_LAG_S_MAX,
      typical: UNTIMED,
      description:
        'Whether a risk or lifecycle event of 1 to 5 mints was confirmed that the cursor does not know; says no more than that. A compact check with the same cursor shows it.',
      example: '/v1/check/watch?mints={mint}',
    },
    answerWatch,
  ),
  question(
    {
      path: '/v1/evidence/{finding_id}',
      tool: null,
      title: 'Evidence of a finding',
      priceMicroUsdc: 0,
      params: evidenceParams,
      coverageRule: NO_SUBJECT,
      feedLagSMax: FEED_LAG_S_MAX,
      delayedS: DELAY_S,
      typical: UNTIMED,
      description: 'What a finding rests on and whether it still stands, also of findings that a fork took back; at least 300 s old.',
      example: '/v1/evidence/{finding_id}',
    },
    answerEvidence,
  ),
]
