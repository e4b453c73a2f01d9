// A curve's card: evidence as a pure function of rows and a moment. Links and finality are added when it is sent.
import { assert } from '../../../schemas/errors.ts'
import { type Key, keyText } from '../../../schemas/keys.ts'
import { formatPosition } from '../../../schemas/position.ts'
import type { CurveFiguresRow, CurveLaunchRow, CurveState } from '../../../schemas/types.ts'
import type { ChainDefinition } from '../../chains/chain.ts'
import type { Coverage } from '../../mint/card/moment.ts'
import type { DetectorSet } from '../../mint/detectors/set.ts'
import type { CurveDetector } from '../detectors/detector.ts'
import { flowInShort, flowPart } from './flow-part.ts'
import { lifecycleOf, pairKindOf, statusOf } from './labels.ts'
import { type CurveMoment, coverageOf, inSeconds, tenthsSince } from './moment.ts'
import {
  addressesPart,
  deployerPart,
  findingsPart,
  lifecycleInShort,
  lifecyclePart,
  priorPart,
  raisedInShort,
  raisedPart,
  snipeTaxPart,
} from './parts.ts'
import { structureInShort, structurePart } from './structure-part.ts'

/** Inputs of the evidence other than rows and moment. */
export interface CurveCardContext {
  readonly chain: Pick<ChainDefinition, 'name' | 'isWallet' | 'quote'>
  readonly detectors: DetectorSet<CurveDetector>
}

type Chain = CurveCardContext['chain']

/** The native pair is shown as the address that represents it on the chain. */
const pairPart = (pair: { readonly quoteMint: Key | null }, { quote }: Chain) => ({
  pair_token: keyText(pair.quoteMint ?? quote.mint),
  pair_kind: pairKindOf(pair),
})

const ageOf = (launch: CurveLaunchRow, moment: CurveMoment): number => inSeconds(tenthsSince(launch, moment))

const asOfPart = (figures: CurveFiguresRow, { name: chain }: Chain) => {
  const { lastNumber: number, lastTx: tx, lastOuter: outer, lastInner: inner, lastAt: at } = figures
  return { position: formatPosition({ chain, number, tx, outer, inner }), at }
}

const fullEvidence = (
  token: Key,
  state: CurveState,
  moment: CurveMoment,
  { chain, detectors }: CurveCardContext,
  { launch, figures }: { readonly launch: CurveLaunchRow; readonly figures: CurveFiguresRow },
) => ({
  ...addressesPart(keyText(token), launch),
  ...pairPart(launch, chain),
  launch_block: launch.number,
  launched_at: launch.at,
  age_s: ageOf(launch, moment),
  coverage: 'full' as const,
  status: statusOf(state, moment),
  raised: raisedPart(launch, figures),
  snipe_tax: snipeTaxPart(launch, figures, moment),
  structure: structurePart(launch, figures, state),
  flow: flowPart(launch, figures, state, moment),
  lifecycle: lifecyclePart(launch, figures),
  launch_route: launch.route,
  deployer_activity: deployerPart(launch, figures),
  ...priorPart(state),
  ...findingsPart(state, launch, detectors, chain),
  as_of: asOfPart(figures, chain),
})

/** Launch facts and lifecycle, from the rows that exist. */
const knownPart = (token: Key, { launch, figures, stub }: CurveState, chain: Chain) => {
  if (stub !== null) {
    const facts = { launch_block: stub.launchNumber, launched_at: stub.launchAt }
    const lifecycle = lifecycleInShort(stub.launchAt, stub)
    return { ...addressesPart(keyText(token), stub), ...pairPart(stub, chain), ...facts, lifecycle }
  }
  if (launch === null || figures === null) return {}
  const facts = { launch_block: launch.number, launched_at: launch.at }
  return { ...addressesPart(keyText(token), launch), ...pairPart(launch, chain), ...facts, lifecycle: lifecycleInShort(launch.at, figures) }
}

/** The requested address, and the token with its rows where the address is a token or the curve of one. */
export interface AskedCurve {
  readonly address: Key
  readonly token: Key
  readonly state: CurveState | undefined
}

const thinEvidence = ({ address, token, state }: AskedCurve, { reason, gap }: Coverage, chain: Chain) => ({
  address: keyText(address),
  coverage: 'thin' as const,
  known: state !== undefined && (state.launch !== null || state.stub !== null),
  status: 'unknown' as const,
  coverage_reason: reason ?? '',
  ...(gap === null ? {} : { coverage_range: { from_block: gap.from, to_block: gap.to } }),
  ...(state === undefined ? {} : knownPart(token, state, chain)),
})

export type FullCurve = ReturnType<typeof fullEvidence>
export type ThinCurve = ReturnType<typeof thinEvidence>

/** The card's evidence. The same rows, moment and detectors give the same JSON, in any order of the rows. */
export const curveEvidence = (asked: AskedCurve, moment: CurveMoment, context: CurveCardContext): FullCurve | ThinCurve => {
  const coverage = coverageOf(asked.state, moment)
  const { launch = null, figures = null } = asked.state ?? {}
  if (coverage.coverage === 'full' && asked.state !== undefined && launch !== null && figures !== null)
    return fullEvidence(asked.token, asked.state, moment, context, { launch, figures })
  return thinEvidence(asked, coverage, context.chain)
}

const NOT_COVERED = 'null: coverage is thin'

/** An item of the launch list; for thin curves only launch facts and lifecycle. Requires a launch row. */
export const curveItem = (token: Key, state: CurveState, moment: CurveMoment, { chain, detectors }: CurveCardContext) => {
  const { launch, figures } = state
  assert(launch !== null && figures !== null, 'a launch item needs a launch')
  const { coverage, reason } = coverageOf(state, moment)
  const head = {
    ...addressesPart(keyText(token), launch),
    ...pairPart(launch, chain),
    launched_at: launch.at,
    age_s: ageOf(launch, moment),
    status: statusOf(state, moment),
    lifecycle: lifecycleOf(figures),
    coverage,
  }
  const { findings } = findingsPart(state, launch, detectors, chain)
  if (reason !== null) {
    const nulls = { raised: null, raised_reason: NOT_COVERED, structure: null, structure_reason: NOT_COVERED }
    return { ...head, coverage_reason: reason, ...nulls, flow: null, flow_reason: NOT_COVERED, findings }
  }
  return {
    ...head,
    raised: raisedInShort(launch, figures),
    structure: structureInShort(launch, figures, state),
    flow: flowInShort(figures, state, moment),
    findings,
  }
}
