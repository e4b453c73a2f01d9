// Status and lifecycle of a curve.
import type { Key } from '../../../schemas/keys.ts'
import type { CurveFiguresRow, CurveState } from '../../../schemas/types.ts'
import { isNative, isOpen } from '../rows.ts'
import { type CurveMoment, coverageOf } from './moment.ts'

export type CurveStatus = 'live_curve' | 'curve_complete' | 'graduated' | 'unknown'
export type CurveLifecycle = 'live' | 'complete' | 'graduated'

type Steps = Pick<CurveFiguresRow, 'completeNumber' | 'graduatedNumber'>

export const lifecycleOf = ({ completeNumber, graduatedNumber }: Steps): CurveLifecycle => {
  if (graduatedNumber !== -1) return 'graduated'
  return completeNumber === -1 ? 'live' : 'complete'
}

const STATUS = { live: 'live_curve', complete: 'curve_complete', graduated: 'graduated' } as const

/** `unknown` unless coverage is full. */
export const statusOf = (state: CurveState, moment: CurveMoment): CurveStatus =>
  state.figures === null || coverageOf(state, moment).coverage === 'thin' ? 'unknown' : STATUS[lifecycleOf(state.figures)]

/** The filter of a list of launches. */
export interface LaunchFilter {
  readonly pair: 'any' | 'eth'
  /** Excludes those that completed or graduated. */
  readonly onlyLive: boolean
  readonly minBuys: number
}

/** Whether a launch belongs in a list. Forgotten ones do not. */
export const isListed = ({ launch, figures }: Pick<CurveState, 'launch' | 'figures'>, { pair, onlyLive, minBuys }: LaunchFilter): boolean =>
  launch !== null && figures !== null && (pair === 'any' || isNative(launch)) && (!onlyLive || isOpen(figures)) && figures.buys >= minBuys

/** `eth` for the native unit, `erc20` for another token. */
export const pairKindOf = (pair: { readonly quoteMint: Key | null }): 'eth' | 'erc20' => (isNative(pair) ? 'eth' : 'erc20')
