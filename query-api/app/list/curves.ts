// Questions about curves, on the chain whose routes begin with its name.

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
      'The newest curves of the alt chain with what they raised, who holds them and how they trade, newest first. A same-block cluster is matching times, no proof of coordination.',
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
      'full when the launch was witnessed, no gap is open and the curve was heard from in the last 2 h; else thin with coverage_reason',
    typical: { latencyMs: 20, freshnessS: 3 },
    isGivenUnsold: true,
    description:
      'Card of one curve, asked for by its own address or that of its token: raised to the wei, snipe tax, holders, routes, flow, lifecycle and findings, each null with its reason.',
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
    description: 'The launchpad of the alt chain over a minute and an hour: launches, graduations, how long these took, and trades. Live.',
    answer: answerCurveRegime,
  }),
]
