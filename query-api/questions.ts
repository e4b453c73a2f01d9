// The one list of what is asked: an entry here is a route, a price, a row of the index and, where named, an MCP tool.
import { answerCreator, creatorParams } from './answers/creator.ts'
import { answerGraduations, graduationsParams } from './answers/graduations.ts'
import { answerHealth } from './answers/health.ts'
import { answerIndex } from './answers/index-page.ts'
import { answerLabels } from './answers/labels.ts'
import { answerLaunches, launchesParams } from './answers/launches.ts'
import { answerMint, mintParams } from './answers/mint.ts'
import { answerRegime } from './answers/regime.ts'
import { answerRugs, rugsParams } from './answers/rugs.ts'
import { answerSampleLaunches, answerSampleMint, answerSampleRugs } from './answers/samples.ts'
import { answerWallet, walletInstead, walletParams } from './answers/wallet.ts'
import type { Question } from './question.ts'
import { question } from './question.ts'

/** `meta.is_stale` of all routes but the compact checks, seconds. */
const FEED_LAG_S_MAX = 30
const NO_SUBJECT = 'always full: it is about the service'

export const questions: readonly Question[] = [
  question(
    {
      path: '/v1/mint/{mint}',
      tool: 'mint_risk_card',
      priceMicroUsdc: 25_000,
      params: mintParams,
      coverageRule:
        'full when the launch was witnessed, no gap is open and the mint was heard from in the last 2 h; else thin with coverage_reason',
      feedLagSMax: FEED_LAG_S_MAX,
      description: 'Risk card of one mint: curve, demand, holders, exit signals and rug flags as observed, each null with its reason.',
      example: '/v1/mint/{mint}',
    },
    answerMint,
  ),
  question(
    {
      path: '/v1/launches/recent',
      tool: 'recent_launches',
      priceMicroUsdc: 10_000,
      params: launchesParams,
      coverageRule: 'full while no gap is known; else thin with coverage_reason and coverage_range',
      feedLagSMax: FEED_LAG_S_MAX,
      description: 'The newest launches with curve, holders, demand and rug flags, newest first.',
      example: '/v1/launches/recent?limit=20&max_age_s=900&only_alive=true',
    },
    answerLaunches,
  ),
  question(
    {
      path: '/v1/rugs/recent',
      tool: 'recent_rugs',
      priceMicroUsdc: 20_000,
      params: rugsParams,
      coverageRule: 'full while no gap is known within the window; else thin with coverage_reason and coverage_range',
      feedLagSMax: FEED_LAG_S_MAX,
      description: 'The newest rug flags with what was measured, newest first.',
      example: '/v1/rugs/recent?limit=20&window_s=900',
    },
    answerRugs,
  ),
  question(
    {
      path: '/v1/graduations/recent',
      tool: 'recent_graduations',
      priceMicroUsdc: 20_000,
      params: graduationsParams,
      coverageRule:
        'full while no gap is known within the window; else thin with coverage_reason and coverage_range. Curves whose launch was not witnessed are not listed',
      feedLagSMax: FEED_LAG_S_MAX,
      description:
        'Curves that moved to their pools, with whether they graduated, who holds them now and the record of their creators, newest first.',
      example: '/v1/graduations/recent?limit=20&window_s=3600',
    },
    answerGraduations,
  ),
  question(
    {
      path: '/v1/creator/{address}',
      tool: 'creator_reputation',
      priceMicroUsdc: 20_000,
      params: creatorParams,
      coverageRule:
        'full while no gap is known since stats.observed_since; else thin with coverage_reason and coverage_range. A wallet never seen launching is full and empty',
      feedLagSMax: FEED_LAG_S_MAX,
      description:
        'What a wallet launched and what became of it: rates, the newest 25 launches, live ones, and who paid it in the last 30 minutes.',
      example: '/v1/creator/{address}',
    },
    answerCreator,
  ),
  question(
    {
      path: '/v1/wallet/{address}',
      tool: 'wallet_profile',
      priceMicroUsdc: 20_000,
      params: walletParams,
      coverageRule:
        'full while capture has all of the 3 days that results are counted over; else thin with coverage_reason and coverage_range. A wallet never seen trading is answered all the same',
      feedLagSMax: FEED_LAG_S_MAX,
      description:
        'What a wallet made of the coins it traded in 3 days, its class and rank, what it launched, what it holds of the newest 3,000 mints, and who paid it.',
      example: '/v1/wallet/{address}',
    },
    answerWallet,
    walletInstead,
  ),
  question(
    {
      path: '/',
      tool: null,
      priceMicroUsdc: 0,
      params: {},
      coverageRule: NO_SUBJECT,
      feedLagSMax: FEED_LAG_S_MAX,
      description: 'Index of the service: every route with price, parameters and bounds.',
      example: '/',
    },
    answerIndex,
  ),
  question(
    {
      path: '/health',
      tool: 'health',
      priceMicroUsdc: 0,
      params: {},
      coverageRule: NO_SUBJECT,
      feedLagSMax: FEED_LAG_S_MAX,
      description: 'How far behind the chain the folds are, counters, and what is degraded.',
      example: '/health',
    },
    answerHealth,
  ),
  question(
    {
      path: '/v1/labels',
      tool: null,
      priceMicroUsdc: 0,
      params: {},
      coverageRule: NO_SUBJECT,
      feedLagSMax: FEED_LAG_S_MAX,
      description: 'What every label, flag, state, field and error means.',
      example: '/v1/labels',
    },
    answerLabels,
  ),
  question(
    {
      path: '/v1/market/regime',
      tool: 'market_regime',
      priceMicroUsdc: 0,
      params: {},
      coverageRule: 'full while no gap is known within the last day; each window says its own',
      feedLagSMax: FEED_LAG_S_MAX,
      description: 'The market over a minute, an hour and a day: launches, flow, failures, migrations, graduations and rug flags. Live.',
      example: '/v1/market/regime',
    },
    answerRegime,
  ),
  question(
    {
      path: '/v1/sample/launches',
      tool: null,
      priceMicroUsdc: 0,
      params: {},
      coverageRule: 'full while no gap is known since the oldest item; else thin with coverage_reason',
      feedLagSMax: FEED_LAG_S_MAX,
      description: 'Three items of /v1/launches/recent, each launched at least 300 s ago.',
      example: '/v1/sample/launches',
    },
    answerSampleLaunches,
  ),
  question(
    {
      path: '/v1/sample/rugs',
      tool: null,
      priceMicroUsdc: 0,
      params: {},
      coverageRule: 'full while no gap is known since the oldest item; else thin with coverage_reason',
      feedLagSMax: FEED_LAG_S_MAX,
      description: 'Three items of /v1/rugs/recent, each at least 300 s old.',
      example: '/v1/sample/rugs',
    },
    answerSampleRugs,
  ),
  question(
    {
      path: '/v1/sample/mint',
      tool: 'sample_mint',
      priceMicroUsdc: 0,
      params: {},
      coverageRule: 'as for /v1/mint/{mint}',
      feedLagSMax: FEED_LAG_S_MAX,
      description: 'The whole risk card of one mint launched at least 300 s ago, in the shape that is sold.',
      example: '/v1/sample/mint',
    },
    answerSampleMint,
  ),
]
