// Free questions about the service and the market, and free samples.

import { answerSampleLaunches, answerSampleMint, answerSampleRugs } from '../../answers/cards/samples.ts'
import { DELAY_S } from '../../answers/delay.ts'
import { answerHealth } from '../../answers/health/health.ts'
import { answerRegime } from '../../answers/market/regime.ts'
import { type Question, question } from '../../answers/question.ts'
import { answerRadar, radarParams } from '../../answers/ranked/radar.ts'
import { answerIndex } from '../../discovery/index-page.ts'
import { answerLabels } from '../../discovery/labels.ts'

export const serviceQuestions: readonly Question[] = [
  question({
    path: '/',
    schema: 'IndexAnswer',
    title: 'Index of the service',
    description: 'Index of the service: every route with price, parameters and bounds.',
    timeless: answerIndex,
  }),
  question({
    path: '/health',
    schema: 'HealthAnswer',
    tool: 'health',
    title: 'Health of the feed',
    isBare: true,
    description: 'Feed lag, last slot, counters, and what is degraded.',
    timeless: answerHealth,
  }),
  question({
    path: '/v1/labels',
    schema: 'LabelsAnswer',
    title: 'Meaning of labels and fields',
    description: 'What every label, flag, state, field and error means.',
    timeless: answerLabels,
  }),
  question({
    path: '/v1/market/regime',
    schema: 'RegimeAnswer',
    tool: 'market_regime',
    title: 'Regime of the market',
    coverageRule: 'full while no gap is known within the last day; each window states its own coverage',
    description: 'The market over a minute, an hour and a day: launches, flow, failures, migrations, graduations and rug flags. Live.',
    answer: answerRegime,
  }),
  question({
    path: '/v1/radar',
    schema: 'PreviewAnswer',
    tool: 'radar',
    title: 'Ranked preview',
    params: radarParams,
    coverageRule: 'full while no gap is known within the last 900 s; else thin with coverage_reason and coverage_range',
    description:
      'Current launches ranked by their odds of a rug within 300 s (launches younger than 30 s) and of graduation (up to 900 s old, 5 buys or more): the top rows, live, updated every 5 s.',
    answer: answerRadar,
  }),
  question({
    path: '/v1/sample/launches',
    schema: 'SampleLaunchesAnswer',
    title: 'Sample of recent launches',
    coverageRule: 'full while no gap is known since the oldest item; else thin with coverage_reason',
    delayedS: DELAY_S,
    description: 'Three items of /v1/launches/recent as of 300 s ago: launches that have not changed since.',
    answer: answerSampleLaunches,
  }),
  question({
    path: '/v1/sample/rugs',
    schema: 'SampleRugsAnswer',
    title: 'Sample of recent rug flags',
    coverageRule: 'full while no gap is known since the oldest item; else thin with coverage_reason',
    delayedS: DELAY_S,
    description: 'Three items of /v1/rugs/recent, each at least 300 s old.',
    answer: answerSampleRugs,
  }),
  question({
    path: '/v1/sample/mint',
    schema: 'MintAnswer',
    tool: 'sample_mint',
    title: 'Sample of a risk card',
    coverageRule: 'as for /v1/mint/{mint}',
    delayedS: DELAY_S,
    description:
      'The full risk card of one mint as of 300 s ago, in the shape of the paid card: of a launch that was at least 300 s old then and has not changed since.',
    answer: answerSampleMint,
  }),
]
