// Types of a chain's topology. The values are in launch-risk.ts. Every other module receives its part of such a value and names no topic
// itself: the value contains all topics that are read or written, and `mintfold topology` prints it.
import type { AltDecodeRows } from '../processors/chains/alt/contracts.ts'
import type { ChainDefinition } from '../processors/chains/chain.ts'
import type { FrameHeader } from '../processors/contract.ts'
import type { CurveDetector } from '../processors/curve/detectors/detector.ts'
import type { DetectorFacts } from '../processors/mint/detectors/detector.ts'
import type { DetectorSet } from '../processors/mint/detectors/set.ts'
import type { TapeHeader } from '../processors/tape.ts'
import type { ChainEvent } from '../schemas/record-forms.ts'
import type { CurveTopics, MintTopics, Topic, Topics } from '../schemas/topics.ts'
import type { AltTapeEvent, RawFrame, TapeEvent } from '../schemas/types.ts'
import type { TaskDefinition } from './engine/definition.ts'

/** A component on the log, with its topics. */
interface Part<Reads extends keyof MintTopics = never, Writes extends keyof MintTopics = never> {
  readonly reads: Pick<MintTopics, Reads>
  readonly writes: Pick<MintTopics, Writes>
}

export interface AnyPart extends Partial<WithHistory> {
  readonly reads: Readonly<Record<string, Topic>>
  readonly writes: Readonly<Record<string, Topic>>
}

/** A demo writes its market's past as the decoder's task would have written it: to the task's own topics. */
interface WithHistory {
  readonly history: Topology['decode']
}

type FoldTask<Event> = TaskDefinition<Event, TapeHeader>
/** Rebuilds start from copies of rows, and views read the progress of the folds. */
export type FoldsDefinition<Event> = FoldTask<Event> & Required<Pick<FoldTask<Event>, 'exchange' | 'bases' | 'progress'>>

type Rebuilt = 'corrections' | 'progress' | 'exchange' | 'bases' | 'deadLetters' | 'stores' | 'rebuilds'
type Parts = Readonly<Record<string, AnyPart>>

/** The topology of one chain, with the parts listed in its wiring. The topologies of several chains run in one process over one log. */
export interface Topology {
  readonly chain: ChainDefinition
  readonly sources: Parts & {
    readonly recording: Part<never, 'raw'>
    /** Publishes the state of capture, and its clock. */
    readonly clock: Part<never, 'sources'>
  }
  /** All detectors that the folds know, of every tier. */
  readonly detectors: Pick<DetectorSet<DetectorFacts>, 'all'>
  /** The only task that decodes the chain, for a tape with this many partitions. */
  decode(partitions: number): TaskDefinition<RawFrame, FrameHeader>
  /** The tasks that fold the tape, one per partition. */
  folds(partitions: number): FoldsDefinition<ChainEvent>
  readonly sinks: Parts
  readonly views: Parts & {
    /** The state of the source, for processes that do not run it. */
    readonly source: Part<'raw' | 'sources'>
  }
  readonly operations: {
    /** Replaces stores and outputs of older versions by those of this program, while its tasks continue to write. */
    readonly rebuild: Part<'raw' | 'tape' | 'decodeChangelog' | Rebuilt, Rebuilt>
    /** Also trims every topic with a time-based retention. */
    readonly retention: Part<'raw' | 'tape' | 'progress'>
    readonly record: Part<'raw'>
    /** Compares the history with what the sink reads. */
    readonly verify: AnyPart
    /** Reads the tape for day files, and the progress of the folds and the sink. */
    readonly export: AnyPart
    readonly letters: Part<'deadLetters'>
    /** Recomputes findings and cards from the tape. */
    readonly explain: Part<'raw' | 'tape' | 'corrections' | 'flags'>
    /** Topics of the log on Kafka itself. */
    readonly kafka: Part<'owners' | 'early', 'owners' | 'early'>
  }
}

type ViewTopics = Pick<Topics, 'stores' | 'rebuilds' | 'flags' | 'progress' | 'decodeChangelog' | 'deadLetters'>
type Changelogs = 'mintChangelog' | 'creatorChangelog' | 'walletChangelog' | 'decodeChangelog'
/** Topics from which odds are graded. */
type Graded = 'odds' | 'outcomes' | 'models' | 'progress'
type Sunk = 'raw' | 'tape' | 'flags' | 'outcomes' | 'deadLetters' | 'corrections' | 'progress'
/** Only for chains whose launches have odds. */
type SunkOdds = 'judgements' | 'odds'

/** Topics that a live source reads back and writes. */
export type LiveCapture = Part<'raw' | 'captureChangelog', 'raw' | 'captureChangelog'>

/** Fills the history of a chain, including its odds if it has them. */
export interface SinkPart extends Part<Sunk> {
  readonly reads: Pick<MintTopics, Sunk> & Partial<Pick<MintTopics, SunkOdds>>
}

/** The topics that a history is compared with. */
interface SunkAndStores extends Part<'stores'> {
  readonly reads: SinkPart['reads'] & Pick<MintTopics, 'stores'>
}

/** A chain whose history is kept. */
interface SunkTopology extends Topology {
  readonly sinks: { readonly clickhouse: SinkPart }
  readonly operations: Topology['operations'] & { readonly verify: SunkAndStores; readonly export: SunkAndStores }
}

/** For a chain whose launchpad creates mints. */
export interface MintTopology extends SunkTopology {
  readonly chain: ChainDefinition<TapeEvent>
  folds(partitions: number): FoldsDefinition<TapeEvent>
  /** The detectors that the folds run. */
  readonly detectors: DetectorSet
  readonly sources: Topology['sources'] & {
    readonly demo: Part<never, 'raw' | 'tape'> & WithHistory
    readonly live: LiveCapture
  }
  readonly sinks: SunkTopology['sinks'] & {
    /** Computes the odds of judgements. */
    readonly scorer: Part<'judgements' | 'models', 'odds'>
    /** Decides which model is in force. */
    readonly trials: Part<Graded, 'models'>
  }
  readonly views: {
    /** Newest odds, and whether they may be shown. */
    readonly odds: Part<Graded>
    /** Cards, lists and records. */
    readonly mints: Part<'stores' | 'rebuilds' | 'flags' | 'outcomes' | Changelogs | 'progress' | 'deadLetters'>
    readonly source: Part<'raw' | 'sources'>
  }
  readonly operations: SunkTopology['operations'] & {
    /** Recomputes logged odds from their judgements. */
    readonly explainOdds: Part<'judgements' | 'odds' | 'models'>
  }
}

/** The parts that run the odds models of a chain. */
export type OddsTopology = Pick<MintTopology, 'chain' | 'sinks' | 'views'>

/** For a chain whose launchpad creates curves. */
export interface CurveTopology extends SunkTopology {
  readonly sources: Topology['sources'] & { readonly live: LiveCapture }
  readonly views: {
    /** Cards and lists. */
    readonly curves: AnyPart & { readonly reads: ViewTopics & Pick<CurveTopics, 'curveChangelog'> }
    readonly source: Part<'raw' | 'sources'>
  }
  readonly chain: ChainDefinition<AltTapeEvent, AltDecodeRows>
  folds(partitions: number): FoldsDefinition<AltTapeEvent>
  /** The detectors that the folds run. */
  readonly detectors: DetectorSet<CurveDetector>
}

/** Inputs of the tasks: frames, and events. The process that owns a partition of an input runs its task. */
export const inputsOf = ({ decode, folds }: Topology) => ({ raw: decode(1).input, tape: folds(1).input })

/** Topics that a task writes, including those of its rows and facts. */
export const writtenBy = <Event, Header extends FrameHeader>(task: TaskDefinition<Event, Header>): readonly Topic[] => {
  const { folds, writes, changelog, formerChangelog, exchange, bases } = task
  const ofFolds = folds.flatMap((fold) => [fold.changelog, ...fold.writes])
  return [...ofFolds, ...writes, changelog, formerChangelog, exchange?.topic, bases].filter((topic) => topic !== undefined)
}

/** The parts of a topology other than its tasks, by group. */
export const groupsOf = ({ sources, sinks, views, operations }: Topology): readonly (readonly [string, Parts])[] =>
  Object.entries<Parts>({ sources, sinks, views, operations })

/** Topics to which the folds write findings, outcomes and the like: a rebuild compares them by id. */
export const conclusionsOf = ({ chain, folds }: Topology): readonly Topic[] =>
  folds(1)
    .folds.flatMap(({ writes }) => writes)
    .filter(({ schema }) => schema === chain.conclusions.schema)

/** `topicsOf` for all chains over one log. */
export const topicsOfAll = (topologies: readonly Topology[]): readonly Topic[] => [...new Set(topologies.flatMap(topicsOf))]

/** All topics that are read or written. */
export const topicsOf = (topology: Topology): readonly Topic[] => {
  const { decode, folds } = topology
  const ofTasks = [...Object.values(inputsOf(topology)), ...writtenBy(decode(1)), ...writtenBy(folds(1))]
  const parts = groupsOf(topology).flatMap(([, group]) => Object.values(group))
  return [...new Set([...ofTasks, ...parts.flatMap(({ reads, writes }) => [...Object.values(reads), ...Object.values(writes)])])]
}
