// Free questions: about the service, about the market, and samples of what is sold.

import { answerSampleLaunches, answerSampleMint, answerSampleRugs } from '../../answers/cards/samples.ts'
import { DELAY_S } from '../../answers/delay.ts'
import { answerHealth } from '../../answers/health/health.ts'
import { answerRegime } from '../../answers/market/regime.ts'
import { type Question, question } from '../../answers/question.ts'
import { answerIndex } from '../../discovery/index-page.ts'
import { answerLabels } from '../../discovery/labels.ts'
import { FEED_LAG_S_MAX, NO_SUBJECT, UNTIMED } from './shared.ts'

export const serviceQuestions: readonly Question[] = [
  question(
    {
      path: '/',
      tool: null,
      title: 'Index of the service',
      priceMicroUsdc: 0,
      params: {},
      coverageRule: NO_SUBJECT,
      feedLagSMax: FEED_LAG_S_MAX,
      typical: UNTIMED,
      description: 'Index of the service: every route with price, parameters and bounds.',
      example: '/',
    },
    answerIndex,
  ),
  question(
    {
      path: '/health',
      tool: 'health',
      title: 'Health of the feed',
      priceMicroUsdc: 0,
      params: {},
      coverageRule: NO_SUBJECT,
      feedLagSMax: FEED_LAG_S_MAX,
      isBare: true,
      typical: UNTIMED,
      description: 'How far behind the chain the folds are, counters, and what is degraded.',
      example: '/health',
    },
    answerHealth,
  ),
  question(
    {
      path: '/v1/labels',
      tool: null,
      title: 'Meaning of labels and fields',
      priceMicroUsdc: 0,
      params: {},
      coverageRule: NO_SUBJECT,
      feedLagSMax: FEED_LAG_S_MAX,
      typical: UNTIMED,
      description: 'What every label, flag, state, field and error means.',
      example: '/v1/labels',
    },
    answerLabels,
  ),
  question(
    {
      path: '/v1/market/regime',
      tool: 'market_regime',
      title: 'Regime of the market',
      priceMicroUsdc: 0,
      params: {},
      coverageRule: 'full while no gap is known within the last day; each window says its own',
      feedLagSMax: FEED_LAG_S_MAX,
      typical: UNTIMED,
      description: 'The market over a minute, an hour and a day: launches, flow, failures, migrations, graduations and rug flags. Live.',
      example: '/v1/market/regime',
    },
    answerRegime,
  ),
  question(
    {
      path: '/v1/sample/launches',
      tool: null,
      title: 'Sample of recent launches',
      priceMicroUsdc: 0,
      params: {},
      coverageRule: 'full while no gap is known since the oldest item; else thin with coverage_reason',
      feedLagSMax: FEED_LAG_S_MAX,
      delayedS: DELAY_S,
      typical: UNTIMED,
      description: 'Three items of /v1/launches/recent as of 300 s ago, of launches that have not changed since.',
      example: '/v1/sample/launches',
    },
    answerSampleLaunches,
  ),
  question(
    {
      path: '/v1/sample/rugs',
      tool: null,
      title: 'Sample of recent rug flags',
      priceMicroUsdc: 0,
      params: {},
      coverageRule: 'full while no gap is known since the oldest item; else thin with coverage_reason',
      feedLagSMax: FEED_LAG_S_MAX,
      delayedS: DELAY_S,
      typical: UNTIMED,
      description: 'Three items of /v1/rugs/recent, each at least 300 s old.',
      example: '/v1/sample/rugs',
    },
    answerSampleRugs,
  ),
  question(
    {
      path: '/v1/sample/mint',
      tool: 'sample_mint',
      title: 'Sample of a risk card',
      priceMicroUsdc: 0,
      params: {},
      coverageRule: 'as for /v1/mint/{mint}',
      feedLagSMax: FEED_LAG_S_MAX,
      delayedS: DELAY_S,
      typical: UNTIMED,
      description:
        'The whole risk card of one mint as of 300 s ago, in the shape that is sold: of a launch that was 300 s old then and has not changed since.',
      example: '/v1/sample/mint',
    },
    answerSampleMint,
  ),
]
