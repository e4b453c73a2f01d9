// Questions of the compact checks (two paid), their free coverage and watch routes, and the evidence of findings.

import { answerEvidence, evidenceParams } from '../../answers/cards/evidence.ts'
import {
  answerCheckMint,
  answerWatchlist,
  checkMintParams,
  checkMintPrecheck,
  watchlistParams,
  watchlistPrecheck,
} from '../../answers/checks/check.ts'
import { answerCoverage, coverageParams } from '../../answers/checks/check-coverage.ts'
import { CHECK_LAG_S_MAX } from '../../answers/checks/check-inputs.ts'
import { answerWatch, watchParams } from '../../answers/checks/check-watch.ts'
import { alwaysFull } from '../../answers/coverage-now.ts'
import { DELAY_S } from '../../answers/delay.ts'
import { type Question, question } from '../../answers/question.ts'

const PAID = {
  coverageRule: 'always full: if a mint lacks full live coverage, the check is refused without charge (404)',
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
      'Confirmed findings of one mint: flags with evidence, concentration, buyer flow and curve. With a cursor it is free while nothing is new.',
    answer: answerCheckMint,
    precheck: checkMintPrecheck,
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
    description: 'Confirmed findings of 1 to 5 mints for one price. With a cursor it is free while nothing is new for any of them.',
    example: '/v1/check/watchlist?mints={mint}',
    answer: answerWatchlist,
    precheck: watchlistPrecheck,
    coverage: alwaysFull,
  }),
  question({
    path: '/v1/check/coverage',
    schema: 'CheckCoverageAnswer',
    tool: 'check_coverage',
    title: 'Coverage of mints, and prices',
    params: coverageParams,
    coverageRule: 'full if every requested mint has full live coverage, else thin; each item states its own',
    feedLagSMax: CHECK_LAG_S_MAX,
    description: 'Whether 1 to 5 mints can be checked now, and the prices of the single and the batch check.',
    example: '/v1/check/coverage?mints={mint}',
    answer: answerCoverage,
  }),
  question({
    path: '/v1/check/watch',
    schema: 'WatchAnswer',
    tool: 'watchlist_updates',
    title: 'Watch of mints',
    params: watchParams,
    coverageRule: 'always full: if a mint lacks full live coverage, the watch is refused (404)',
    feedLagSMax: CHECK_LAG_S_MAX,
    description:
      'Whether a risk or lifecycle event of 1 to 5 mints was confirmed after the cursor, without details. A compact check with the same cursor returns the details.',
    example: '/v1/check/watch?mints={mint}',
    answer: answerWatch,
  }),
  question({
    path: '/v1/evidence/{finding_id}',
    schema: 'EvidenceAnswer',
    title: 'Evidence of a finding',
    params: evidenceParams,
    delayedS: DELAY_S,
    description:
      'Evidence of a finding that is at least 300 s old, and whether it is still valid; also of findings that a reorg retracted.',
    answer: answerEvidence,
  }),
]
