// Questions about curves of the alt chain.

import { launchesCoverage } from '../../answers/coverage-now.ts'
import { answerCurve, curveCoverage, curveParams } from '../../answers/curves/curve.ts'
import { answerCurveLaunches, curveLaunchesParams } from '../../answers/curves/launches.ts'
import { answerCurveRegime } from '../../answers/curves/regime.ts'
import { type Question, question } from '../../answers/question.ts'

const MARKET = { market: 'curves' } as const

export const curveQuestions: readonly Question[] = [
  question({
    ...MARKET,
    path: '/v1/alt/launches/recent',
    schema: 'AltLaunchesAnswer',
    tool: 'rhc_recent_launches',
    title: 'Recent launches on the alt chain',
    priceMicroUsdc: 10_000,
    params: curveLaunchesParams,
    coverageRule: 'full while no gap is known; else thin with coverage_reason and coverage_range',
    typical: { latencyMs: 60, freshnessS: 3 },
    description:
      'The newest curves of the alt chain with raised amount, holders and trade flow, newest first. A same-block cluster reflects matching timing, not proof of coordination.',
    example: '/v1/alt/launches/recent?limit=20&max_age_s=900&only_live=true',
    answer: answerCurveLaunches,
    coverage: launchesCoverage,
  }),
  question({
    ...MARKET,
    path: '/v1/alt/curve/{address}',
    schema: 'AltCurveAnswer',
    tool: 'rhc_curve_card',
    title: 'Card of one curve on the alt chain',
    priceMicroUsdc: 20_000,
    params: curveParams,
    coverageRule:
      'full if the launch was witnessed, no trade can be missing because of a gap, and the curve had an event in the last 2 h; else thin with coverage_reason',
    typical: { latencyMs: 20, freshnessS: 3 },
    isGivenUnsold: true,
    description:
      'Card of one curve, by the address of the curve or its token: raised amount to the wei, snipe tax, holders, routes, flow, lifecycle and findings; each null has its reason.',
    example: '/v1/alt/curve/{curve}',
    answer: answerCurve,
    coverage: curveCoverage,
  }),
  question({
    ...MARKET,
    path: '/v1/alt/regime',
    schema: 'AltRegimeAnswer',
    tool: 'rhc_regime',
    title: 'Regime of the alt chain',
    coverageRule: 'full while no gap is known within the last hour',
    description: 'The launchpad of the alt chain over a minute and an hour: launches, graduations, time to graduation, and trades. Live.',
    answer: answerCurveRegime,
  }),
]
