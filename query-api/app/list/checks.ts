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

const PAID = {
  coverageRule: 'always full: where a mint lacks full live coverage the check is refused unpaid (404)',
  feedLagSMax: CHECK_LAG_S_MAX,
  typical: { latencyMs: null, freshnessS: 5 },
  contentStatus: 400,
  secondNetwork: true,
} as const

export const checkQuestions: readonly Question[] = [
  question({
    ...PAID,
    path: '/v1/check/mint/{mint}',
    schema: 'CheckAnswer',
    tool: 'check_launchpad_risk',
    title: 'Compact risk check of one mint',
    priceMicroUsdc: 5_000,
    params: checkMintParams,
    description:
      'What was found of one mint, confirmed findings only: flags with evidence, concentration, buyer flow and curve. With a cursor it is free while nothing is new.',
    answer: answerCheckMint,
    instead: checkMintInstead,
    coverage: alwaysFull,
  }),
  question({
    ...PAID,
    path: '/v1/check/watchlist',
    schema: 'CheckAnswer',
    tool: 'check_watchlist_risk',
    title: 'Compact risk check of up to five mints',
    priceMicroUsdc: 10_000,
    params: watchlistParams,
    description:
      'The compact check of 1 to 5 mints for one price, confirmed findings only. With a cursor it is free while nothing is new of any of them.',
    example: '/v1/check/watchlist?mints={mint}',
    answer: answerWatchlist,
    instead: watchlistInstead,
    coverage: alwaysFull,
  }),
  question({
    path: '/v1/check/coverage',
    schema: 'CheckCoverageAnswer',
    tool: 'check_coverage',
    title: 'Coverage of mints, and prices',
    params: coverageParams,
    coverageRule: 'full when every mint asked about has full live coverage, else thin; each item says its own',
    feedLagSMax: CHECK_LAG_S_MAX,
    description: 'Whether 1 to 5 mints can be checked now, and what the single and the batch check cost.',
    example: '/v1/check/coverage?mints={mint}',
    answer: answerCoverage,
  }),
  question({
    path: '/v1/check/watch',
    schema: 'WatchAnswer',
    tool: 'watchlist_updates',
    title: 'Watch of mints',
    params: watchParams,
    coverageRule: 'always full: where a mint lacks full live coverage the watch is refused (404)',
    feedLagSMax: CHECK_LAG_S_MAX,
    description:
      'Whether a risk or lifecycle event of 1 to 5 mints was confirmed that the cursor does not know; says no more than that. A compact check with the same cursor shows it.',
    example: '/v1/check/watch?mints={mint}',
    answer: answerWatch,
  }),
  question({
    path: '/v1/evidence/{finding_id}',
    schema: 'EvidenceAnswer',
    title: 'Evidence of a finding',
    params: evidenceParams,
    delayedS: DELAY_S,
    description: 'What a finding rests on and whether it still stands, also of findings that a fork took back; at least 300 s old.',
    answer: answerEvidence,
  }),
]
