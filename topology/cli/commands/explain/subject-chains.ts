// The chains whose findings and cards can be recomputed, and which of them an id, coin or token belongs to.
import { curveEvidence } from '../../../../processors/curve/card/card.ts'
import { CURVE } from '../../../../processors/curve/rows.ts'
import { mintEvidence } from '../../../../processors/mint/card/card.ts'
import type { DetectorFacts } from '../../../../processors/mint/detectors/detector.ts'
import type { DetectorSet } from '../../../../processors/mint/detectors/set.ts'
import { MINT } from '../../../../processors/mint/rows.ts'
import { assert } from '../../../../schemas/errors.ts'
import type { Key } from '../../../../schemas/keys.ts'
import { parseFindingId } from '../../../../schemas/position.ts'
import type { ChainEvent } from '../../../../schemas/record-forms.ts'
import type { CurveState, MintState } from '../../../../schemas/types.ts'
import { CURVE_RISK } from '../../../curve-risk.ts'
import { createPartitioner } from '../../../engine/partition.ts'
import type { StateType } from '../../../engine/rows/state-type.ts'
import type { Store } from '../../../engine/rows/store.ts'
import { LAUNCH_RISK, PROVERS } from '../../../launch-risk.ts'
import type { MomentNow } from '../../../operations/explain/field-moves.ts'
import { LogRecompute, type RecomputeLimits, type RecomputeSubject } from '../../../operations/explain/log-recompute.ts'
import type { Batch, Wanted } from '../../../operations/explain/recompute.ts'
import { subjectOf } from '../../../operations/explain/subjects.ts'
import type { Witness } from '../../../operations/explain/witness.ts'
import { witnessed } from '../../../operations/explain/witness.ts'
import type { LogReader } from '../../../ports/log.ts'
import type { Notice } from '../../../ports/notice.ts'
import type { Prover } from '../../../ports/proof.ts'
import type { Recomputer } from '../../../ports/recompute.ts'
import { CurveReplay } from '../../../runtime/curve-replay.ts'
import { Replay, type ReplayedFrame } from '../../../runtime/replay.ts'
import type { Topology } from '../../../topology.ts'
import { UsageError } from '../../command.ts'

import type { Settings } from '../../settings/settings.ts'
import type { CardName } from './card-fields.ts'

type AnyWitness = Witness<ChainEvent>
interface Folds {
  batch(tape: Batch): ReplayedFrame<ChainEvent>
  /** The stores of one partition. */
  stores(processor: string): readonly Store[]
}
/** The nodes named by the settings. */
interface Nodes extends Pick<Settings, 'accountsUrl' | 'liveAlt'> {
  readonly notice: Notice
  /** Timeout of one request; a default if absent. */
  readonly msMax?: number
}
type State = Readonly<Record<string, unknown>>

/** A chain, its detectors, and its folds with a witness attached. */
export interface SubjectChain {
  readonly topology: Topology
  /** The group of its cards in `/v1/labels`. */
  readonly cardName: CardName
  /** The processor that keeps the rows of the coin or token. */
  readonly processor: string
  readonly detectors: DetectorSet<DetectorFacts>
  folds(witness: AnyWitness): Folds
  /** Proves events with the node that the settings name; null if none is set. */
  prover(nodes: Nodes): Promise<Prover | null>
  /** The state type of the coin's or token's rows. */
  typeOf(): StateType
  /** The evidence part of its card. */
  card(key: Key, state: State, moment: MomentNow): object
}

const typeIn = (topology: Topology, processor: string): StateType => {
  const fold = topology.folds(1).folds.find((one) => one.processor.name === processor)
  assert(fold !== undefined, `${topology.chain.name} has the processor ${processor}`)
  return fold.state
}

const CHAINS: readonly SubjectChain[] = [
  {
    topology: LAUNCH_RISK,
    cardName: 'mint',
    processor: MINT,
    detectors: LAUNCH_RISK.detectors,
    folds: (witness) => new Replay(witnessed(LAUNCH_RISK, MINT, witness)) as Folds,
    prover: async ({ accountsUrl: url, ...node }) => (url === null ? null : PROVERS.mint({ url, ...node })),
    typeOf: () => typeIn(LAUNCH_RISK, MINT),
    card: (mint, state, moment) => mintEvidence(mint, state as unknown as MintState, moment, LAUNCH_RISK),
  },
  {
    topology: CURVE_RISK,
    cardName: 'curve',
    processor: CURVE,
    detectors: CURVE_RISK.detectors,
    folds: (witness) => new CurveReplay(witnessed(CURVE_RISK, CURVE, witness)) as Folds,
    prover: async ({ liveAlt: { rpcUrl: url }, ...node }) => (url === null ? null : PROVERS.curve({ url, ...node })),
    typeOf: () => typeIn(CURVE_RISK, CURVE),
    card: (token, state, moment) => curveEvidence({ address: token, token, state: state as unknown as CurveState }, moment, CURVE_RISK),
  },
]

/** A request and the chain that it concerns. */
export interface OnChain<Asked> {
  readonly chain: SubjectChain
  readonly asked: Asked
}

const findingIn = (text: string): OnChain<Wanted> | undefined => {
  for (const chain of CHAINS) {
    const { positions, keys } = chain.topology.chain
    const parts = parseFindingId(text, positions)
    const key = parts && keys.parse(parts.mint)
    if (parts !== undefined && key !== undefined) return { chain, asked: { ...parts, key } }
  }
  return undefined
}

/** @throws UsageError if the text is not an id of a finding */
export const findingOf = (text: string): OnChain<Wanted> => {
  const found = findingIn(text)
  if (found !== undefined) return found
  throw new UsageError(
    `${text} is not an id of a finding: write position@hash8:detector:mint, as in cards, mintfold replay --print flags and the views flags and ` +
      'alt_flags',
  )
}

/** The coin or token of an address. @throws UsageError if the text is not an address */
export const keyOf = (text: string): OnChain<Key> => {
  for (const chain of CHAINS) {
    const key = chain.topology.chain.keys.parse(text)
    if (key !== undefined) return { chain, asked: key }
  }
  throw new UsageError(`${text} is not an address: a coin is 32 bytes in base58, a token of the alt chain 0x and 40 hex digits`)
}

/** The partition, among `partitions`, that has the tape of a key. */
export const partitionOf = ({ keys }: Topology['chain'], partitions: number, key: Key): number =>
  createPartitioner(partitions, (one) => keys.print(one as Key))(key)

/** Timeout for a node that the API uses. */
const NODE_MS_MAX = 3_000

/** Recomputes findings for the API from the log of its process; `nodes` provide the proofs of events. */
export const recomputerOn = (log: LogReader, nodes: Nodes, limits: Partial<RecomputeLimits> = {}): Recomputer =>
  new LogRecompute(
    log,
    (id) => subjectOn(log, nodes, id),
    () => performance.now(),
    limits,
  )

const subjectOn = (log: LogReader, nodes: Nodes, id: string): RecomputeSubject | undefined => {
  const found = findingIn(id)
  const subject = found && subjectOf(found.chain.processor)
  if (found === undefined || subject === undefined) return undefined
  const { chain, asked: wanted } = found
  const { chain: definition, operations } = chain.topology
  const topics = operations.explain.reads
  const partition = partitionOf(definition, log.partitions(topics.tape), wanted.key)
  const prover = (): Promise<Prover | null> => chain.prover({ ...nodes, msMax: NODE_MS_MAX })
  return { wanted, chain: definition, subject, topics, partition, prover, folds: (witness) => chain.folds(witness) }
}
