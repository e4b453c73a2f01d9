// given(...) bound to the curve fold, and its card.
import { type CurveCardContext, curveEvidence, curveItem, type FullCurve, type ThinCurve } from '../../../../processors/curve/card/card.ts'
import type { CurveMoment } from '../../../../processors/curve/card/moment.ts'
import { curveDetectors } from '../../../../processors/curve/detectors/index.ts'
import { createCurveProcessor } from '../../../../processors/curve/fold/curve.ts'
import type { CurveOutput, CurveRows } from '../../../../processors/curve/rows.ts'
import type { TapeHeader } from '../../../../processors/tape.ts'
import type { Key } from '../../../../schemas/keys.ts'
import type { AltTapeEvent, CurveState } from '../../../../schemas/types.ts'
import { givenOn, type Then } from '../../../given.ts'
import type { NaiveEngine } from '../../../naive-context.ts'
import { BLOCK0, CHAIN, type Frame, key, T0, TOKEN } from './launchpad.ts'

export const curveProcessor = createCurveProcessor(curveDetectors, CHAIN)
export type CurveEngine = NaiveEngine<CurveRows, AltTapeEvent, CurveOutput, TapeHeader>
export type CurveThen = Then<CurveRows, AltTapeEvent, CurveOutput, TapeHeader>

export const given = (...frames: readonly Frame[]) => givenOn(curveProcessor, ...frames)
/** All frames, without a comparison. */
export const fold = (...frames: readonly Frame[]): CurveThen => given().when(...frames)

export const stateOf = (engine: CurveEngine, token: Key = TOKEN): CurveState => ({
  launch: engine.rows(token, 'launch')[0] ?? null,
  figures: engine.rows(token, 'figures')[0] ?? null,
  holders: engine.rows(token, 'holders'),
  flows: engine.rows(token, 'flows'),
  routes: engine.rows(token, 'routes'),
  flags: engine.rows(token, 'flags'),
  steps: engine.rows(token, 'steps'),
  outcome: engine.rows(token, 'outcome')[0] ?? null,
  prior: engine.rows(token, 'prior')[0] ?? null,
  folded: engine.rows(token, 'folded')[0] ?? null,
  stub: engine.rows(token, 'stub')[0] ?? null,
  timers: [],
})
export const figuresOf = ({ engine }: CurveThen) => {
  const { figures } = stateOf(engine)
  if (figures === null) throw new Error('no figures')
  return figures
}

export const CONTEXT: CurveCardContext = {
  chain: { name: 'alt', isWallet: CHAIN.isWallet, quote: { symbol: 'ETH', unit: 'wei', decimals: 18, mint: key(0) } },
  detectors: curveDetectors,
}
/** This many blocks after the first one. */
export const momentAt = (after: number, gap: CurveMoment['gap'] = null): CurveMoment => ({
  asOf: T0 + Math.floor(after / 10),
  tip: { number: BLOCK0 + after, time: T0 + Math.floor(after / 10) },
  gap,
})
export const cardAt = ({ engine }: CurveThen, after: number, gap: CurveMoment['gap'] = null): FullCurve | ThinCurve =>
  curveEvidence({ address: TOKEN, token: TOKEN, state: stateOf(engine) }, momentAt(after, gap), CONTEXT)
export const fullAt = (then: CurveThen, after: number): FullCurve => {
  const card = cardAt(then, after)
  if (card.coverage !== 'full') throw new Error(`expected a full card: ${card.coverage_reason}`)
  return card
}
export const thinAt = (then: CurveThen, after: number, gap: CurveMoment['gap'] = null): ThinCurve => {
  const card = cardAt(then, after, gap)
  if (card.coverage !== 'thin') throw new Error('expected a thin card')
  return card
}
export const itemAt = ({ engine }: CurveThen, after: number) => curveItem(TOKEN, stateOf(engine), momentAt(after), CONTEXT)

/** Minimal content of a finding. */
export const finding = (flag: string, evidence: object) => ({
  topic: 'flags',
  conclusion: { body: { flag, evidence: JSON.stringify(evidence) } },
})
export const outcome = (body: object) => ({ topic: 'outcomes', conclusion: { body: { type: 'outcome', ...body } } })
export const transition = (step: string) => ({ topic: 'outcomes', conclusion: { body: { type: 'transition', step } } })
