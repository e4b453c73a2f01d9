// The wiring of the chain whose launchpad creates curves: which tasks, sinks and views run over which topics.
import { altWith } from '../processors/chains/alt/chain.ts'
import { curveChainOf } from '../processors/chains/alt/curve-chain.ts'
import { deployerProcessor } from '../processors/curve/deployer.ts'
import type { CurveDetector } from '../processors/curve/detectors/detector.ts'
import { curveDetectors } from '../processors/curve/detectors/index.ts'
import { createCurveProcessor } from '../processors/curve/fold/curve.ts'
import type { DetectorSet } from '../processors/mint/detectors/set.ts'
import { curveTopicsFor } from '../schemas/topics.ts'
import { decodeOf, foldsOf, operationsOf, stateOf } from './chain-tasks.ts'
import { CURVE_TABLES } from './history/rows/curve-tables.ts'
import { LAUNCHPAD } from './launchpad-in-use.ts'
import type { SunkTopology } from './sinks/sink-topology.ts'
import type { CurveTopology } from './topology.ts'

const state = { curve: stateOf('curve-state'), deployer: stateOf('deployer-state'), decode: stateOf('alt-decode-state') }

const alt = altWith(LAUNCHPAD)
const topics = curveTopicsFor(alt)
const { raw, flags, outcomes, sources, curveChangelog, deployerChangelog, captureChangelog } = topics
const { tape, corrections, stores, rebuilds, progress, deadLetters, decodeChangelog } = topics
const conclusions = { flags, outcomes }
const sunk = { raw, tape, flags, outcomes, deadLetters, corrections, progress }

/** The topology with the given detectors. */
export const curveRisk = (detectors: DetectorSet<CurveDetector>): CurveTopology & SunkTopology => ({
  chain: alt,
  detectors,
  decode: decodeOf(alt, state.decode, topics),
  folds: foldsOf(
    alt,
    topics,
    conclusions,
    { processor: createCurveProcessor(detectors, curveChainOf(LAUNCHPAD)), state: state.curve, changelog: curveChangelog },
    { processor: deployerProcessor, state: state.deployer, changelog: deployerChangelog },
  ),
  sources: {
    recording: { reads: {}, writes: { raw } },
    live: { reads: { raw, captureChangelog }, writes: { raw, captureChangelog } },
    clock: { reads: {}, writes: { sources } },
  },
  sinks: {
    clickhouse: { reads: sunk, writes: {}, tables: CURVE_TABLES },
  },
  views: {
    curves: { reads: { stores, rebuilds, flags, progress, deadLetters, decodeChangelog, curveChangelog }, writes: {} },
    source: { reads: { raw, sources }, writes: {} },
  },
  operations: operationsOf(topics, conclusions, { ...sunk, stores }),
})
export const CURVE_RISK = curveRisk(curveDetectors)
