// The wiring of the chain whose launchpad makes curves: what runs over what. It is recorded and replayed; no role runs it yet (see
// launch-risk.ts).
import { alt } from '../processors/chains/alt/chain.ts'
import { curveChainOf } from '../processors/chains/alt/curve-chain.ts'
import { PONS_V2 } from '../processors/chains/alt/launchpad.ts'
import { deployerProcessor } from '../processors/curve/deployer.ts'
import { curveDetectors } from '../processors/curve/detectors/index.ts'
import { createCurveProcessor } from '../processors/curve/fold/curve.ts'
import { curveTopicsFor, ownName } from '../schemas/topics.ts'
import { decodeOf, exchangeOf, silent, stateOf } from './chain-tasks.ts'
import { tapeReader } from './records/readers.ts'
import { conclusionRecords, foldRecords, writing } from './records/records.ts'
import type { CurveTopology } from './topology.ts'

const state = { curve: stateOf('curve-state'), deployer: stateOf('deployer-state'), decode: stateOf('alt-decode-state') }

const topics = curveTopicsFor(alt)
const { raw, tape, corrections, flags, outcomes, progress, exchange, bases, deadLetters, stores, rebuilds, sources, owners } = topics
const { taskChangelog, curveChangelog, deployerChangelog, decodeChangelog, decodeTaskChangelog, captureChangelog } = topics
const rebuilt = { corrections, flags, outcomes, progress, exchange, bases, deadLetters, stores, rebuilds }

const curve = createCurveProcessor(curveDetectors, curveChainOf(PONS_V2))

/** tape -> rows of each curve and deployer, flags, outcomes: one task per partition of so many. */
const folds: CurveTopology['folds'] = (partitions) => {
  const name = ownName(alt, curve.name)
  return {
    name,
    input: tape,
    folds: [
      {
        processor: curve,
        state: state.curve,
        changelog: curveChangelog,
        ...writing({ flags, outcomes }, conclusionRecords, alt.conclusions),
      },
      { processor: deployerProcessor, state: state.deployer, changelog: deployerChangelog, ...silent },
    ],
    changelog: taskChangelog,
    bases,
    open: tapeReader(alt.tape),
    positionOf: ({ tx, outer, inner }, header) => ({ chain: header.chain, number: header.number, tx, outer, inner }),
    exchange: exchangeOf(alt, exchange, partitions),
    ...writing({ deadLetters, flags, outcomes, progress }, foldRecords, name, curve, alt),
  }
}

export const CURVE_RISK: CurveTopology = {
  chain: alt,
  detectors: curveDetectors,
  decode: decodeOf(alt, state.decode, { raw, tape, deadLetters, decodeChangelog, decodeTaskChangelog }),
  folds,
  sources: {
    live: { reads: { raw, captureChangelog }, writes: { raw, captureChangelog } },
    clock: { reads: {}, writes: { sources } },
  },
  sinks: {},
  views: { source: { reads: { raw, sources }, writes: {} } },
  operations: {
    rebuild: { reads: { raw, tape, decodeChangelog, ...rebuilt }, writes: rebuilt },
    retention: { reads: { raw, tape, progress }, writes: {} },
    record: { reads: { raw }, writes: {} },
    verify: { reads: {}, writes: {} },
    letters: { reads: { deadLetters }, writes: {} },
    kafka: { reads: { owners }, writes: { owners } },
  },
}
