// Paid questions about mints, lists of mints, creators and wallets.

import { answerCohort, cohortCoverage, cohortParams, cohortPrecheck } from '../../answers/cards/cohort.ts'
import { answerCreator, creatorParams } from '../../answers/cards/creator.ts'
import { answerMint, mintParams, mintPrecheck } from '../../answers/cards/mint.ts'
import { answerWallet, walletParams, walletPrecheck } from '../../answers/cards/wallet.ts'
import { creatorCoverage, launchesCoverage, mintCoverage, walletCoverage, windowCoverage } from '../../answers/coverage-now.ts'
import { answerGraduations, graduationsParams } from '../../answers/market/graduations.ts'
import { answerLaunches, launchesParams } from '../../answers/market/launches.ts'
import { answerRugs, rugsParams } from '../../answers/market/rugs.ts'
import { type Question, question } from '../../answers/question.ts'
import { answerSince, sinceCoverage, sinceParams, sincePrecheck } from '../../answers/since/launches-since.ts'

export const cardQuestions: readonly Question[] = [
  question({
    path: '/v1/mint/{mint}',
    schema: 'MintAnswer',
    tool: 'mint_risk_card',
    title: 'Risk card of one mint',
    priceMicroUsdc: 25_000,
    params: mintParams,
    coverageRule:
      'full if the launch was witnessed, no trade can be missing because of a gap, and the mint had an event in the last 2 h; else thin with coverage_reason',
    typical: { latencyMs: 15, freshnessS: 2 },
    typicalThin: { latencyMs: 300, freshnessS: 1 },
    isGivenUnsold: true,
    description: 'Risk card of one mint: observed curve, demand, holders, exit signals and rug flags; each null has its reason.',
    answer: answerMint,
    precheck: mintPrecheck,
    coverage: mintCoverage,
  }),
  question({
    path: '/v1/launches/recent',
    schema: 'LaunchesAnswer',
    tool: 'recent_launches',
    title: 'Recent launches',
    priceMicroUsdc: 10_000,
    params: launchesParams,
    coverageRule: 'full while no gap is known; else thin with coverage_reason and coverage_range',
    typical: { latencyMs: 25, freshnessS: 2 },
    description: 'The newest launches with curve, holders, demand and rug flags, newest first.',
    example: '/v1/launches/recent?limit=20&max_age_s=900&only_alive=true',
    answer: answerLaunches,
    coverage: launchesCoverage,
  }),
  question({
    path: '/v1/launches/since',
    schema: 'LaunchesSinceAnswer',
    tool: 'launches_since',
    title: 'All launches since a cursor',
    priceMicroUsdc: 1_000,
    params: sinceParams,
    coverageRule: 'full while no gap is known after the requested since; else thin with coverage_reason and coverage_range',
    typical: { latencyMs: 25, freshnessS: 3 },
    description:
      'Every covered launch after a time or cursor, oldest first, each once, in confirmed slots: its card with odds and a verdict. Pass next_cursor as the next since.',
    example: '/v1/launches/since?since=0&limit=20',
    answer: answerSince,
    precheck: sincePrecheck,
    coverage: sinceCoverage,
  }),
  question({
    path: '/v1/rugs/recent',
    schema: 'RugsAnswer',
    tool: 'recent_rugs',
    title: 'Recent rug flags',
    priceMicroUsdc: 20_000,
    params: rugsParams,
    coverageRule: 'full while no gap is known within the window; else thin with coverage_reason and coverage_range',
    typical: { latencyMs: 10, freshnessS: 2 },
    description: 'The newest rug flags with their evidence, newest first.',
    example: '/v1/rugs/recent?limit=20&window_s=900',
    answer: answerRugs,
    coverage: windowCoverage,
  }),
  question({
    path: '/v1/graduations/recent',
    schema: 'GraduationsAnswer',
    tool: 'recent_graduations',
    title: 'Recent graduations',
    priceMicroUsdc: 20_000,
    params: graduationsParams,
    coverageRule:
      'full while no gap is known within the window; else thin with coverage_reason and coverage_range. Curves whose launch was not witnessed are not listed',
    typical: { latencyMs: 15, freshnessS: 2 },
    description:
      'Curves that migrated to their pools: whether they graduated, current holders and the record of the creator, newest first.',
    example: '/v1/graduations/recent?limit=20&window_s=3600',
    answer: answerGraduations,
    coverage: windowCoverage,
  }),
  question({
    path: '/v1/creator/{address}',
    schema: 'CreatorAnswer',
    tool: 'creator_reputation',
    title: 'Record of a creator',
    priceMicroUsdc: 20_000,
    params: creatorParams,
    coverageRule:
      'full while no gap is known since stats.observed_since; else thin with coverage_reason and coverage_range. A wallet never seen launching is full, with empty stats',
    typical: { latencyMs: 20, freshnessS: 2 },
    description:
      'Launches of a wallet and their outcomes: rates, the newest 25 launches, live mints, and who funded it in the last 30 minutes.',
    answer: answerCreator,
    coverage: creatorCoverage,
  }),
  question({
    path: '/v1/wallet/{address}',
    schema: 'WalletAnswer',
    tool: 'wallet_profile',
    title: 'Profile of a wallet',
    priceMicroUsdc: 20_000,
    params: walletParams,
    coverageRule:
      'full while the 3 days of results are captured without a gap, their trades are kept, and at most 300 s of them are not counted yet; else thin with coverage_reason and coverage_range. A wallet never seen trading also returns 200',
    typical: { latencyMs: 20, freshnessS: 2 },
    description:
      'Trading results of a wallet over 3 days with its class and rank, its record as a creator, its holdings among the newest 3,000 mints, and who funded it.',
    answer: answerWallet,
    precheck: walletPrecheck,
    coverage: walletCoverage,
  }),
  question({
    path: '/v1/cohort/mint/{mint}',
    schema: 'CohortAnswer',
    tool: 'launch_cohort',
    title: 'Outcomes of launches like this one',
    priceMicroUsdc: 20_000,
    params: cohortParams,
    coverageRule:
      'full if all four parts of the shape of the launch are known; else thin with coverage_reason, and launches are compared by fewer parts. Refused without charge if no shape is known (404), or while the history is not available (503)',
    typical: { latencyMs: 20, freshnessS: 60 },
    description:
      'Outcomes of launches of the last 30 days that looked like this one at the end of the create slot (mayhem, dev buy, bundle, kind of creator): how many rugged and graduated, with 95 % intervals, and how fast they collapsed.',
    answer: answerCohort,
    precheck: cohortPrecheck,
    coverage: cohortCoverage,
  }),
]
