// What the topology of a chain is made of. The values are in launch-risk.ts. Everything else gets its own piece of such a value and names
// no topic by itself: whatever is read or written is in the value, and `mintfold topology` prints all of it.
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

/** A part of the program at work on the log, with the topics that it gets. */
interface Part<Reads extends keyof MintTopics = never, Writes extends keyof MintTopics = never> {
  readonly reads: Pick<MintTopics, Reads>
  readonly writes: Pick<MintTopics, Writes>
}

export interface AnyPart extends Partial<WithHistory> {
  readonly reads: Readonly<Record<string, Topic>>
  readonly writes: Readonly<Record<string, Topic>>
}

/** Writes the past of its market as a task would have: with the task's own topics. */
interface WithHistory {
  readonly history: Topology['decode']
}

type FoldTask<Event> = TaskDefinition<Event, TapeHeader>
/** A rebuild begins with copies of rows, and views ask how far the folds are. */
export type FoldsDefinition<Event> = FoldTask<Event> & Required<Pick<FoldTask<Event>, 'exchange' | 'bases' | 'progress'>>

type Rebuilt = 'corrections' | 'progress' | 'exchange' | 'bases' | 'deadLetters' | 'stores' | 'rebuilds'
type Parts = Readonly<Record<string, AnyPart>>

/** Of one chain, with the parts that its wiring lists. Several run in one process over one log. */
export interface Topology {
  readonly chain: ChainDefinition
  readonly sources: Parts & {
    readonly recording: Part<never, 'raw'>
    /** Publishes what is captured, and its clock. */
    readonly clock: Part<never, 'sources'>
  }
  /** Those that the folds know, of every tier. */
  readonly detectors: Pick<DetectorSet<DetectorFacts>, 'all'>
  /** The one task that decodes the chain, for a tape with so many partitions. */
  decode(partitions: number): TaskDefinition<RawFrame, FrameHeader>
  /** The tasks that fold the tape, one for each of so many partitions. */
  folds(partitions: number): FoldsDefinition<ChainEvent>
  readonly sinks: Parts
  readonly views: Parts & {
    /** The source, for processes without one. */
    readonly source: Part<'raw' | 'sources'>
  }
  readonly operations: {
    /** Puts stores and outputs of this program's versions in place of older ones, beside what its tasks write. */
    readonly rebuild: Part<'raw' | 'tape' | 'decodeChangelog' | Rebuilt, Rebuilt>
    /** Also trims every topic that is kept by time. */
    readonly retention: Part<'raw' | 'tape' | 'progress'>
    readonly record: Part<'raw'>
    /** Compares the history with what the sink reads. */
    readonly verify: AnyPart
    /** Reads the tape for day files, and how far the folds and the sink are. */
    readonly export: AnyPart
    readonly letters: Part<'deadLetters'>
    /** Computes findings and cards once more, off the tape. */
    readonly explain: Part<'raw' | 'tape' | 'corrections' | 'flags'>
    /** What the log on Kafka keeps for itself. */
    readonly kafka: Part<'owners', 'owners'>
  }
}

type ViewTopics = Pick<Topics, 'stores' | 'rebuilds' | 'flags' | 'progress' | 'decodeChangelog' | 'deadLetters'>
type Changelogs = 'mintChangelog' | 'creatorChangelog' | 'walletChangelog' | 'decodeChangelog'
/** What odds are graded from. */
type Graded = 'odds' | 'outcomes' | 'models' | 'progress'
type Sunk = 'raw' | 'tape' | 'flags' | 'outcomes' | 'deadLetters' | 'corrections' | 'progress'
/** Of chains whose launches are judged. */
type SunkOdds = 'judgements' | 'odds'

/** What a live source reads back and writes. */
export type LiveCapture = Part<'raw' | 'captureChangelog', 'raw' | 'captureChangelog'>

/** What fills the history of a chain, its odds where it has them. */
export interface SinkPart extends Part<Sunk> {
  readonly reads: Pick<MintTopics, Sunk> & Partial<Pick<MintTopics, SunkOdds>>
}

/** What a history is compared with. */
interface SunkAndStores extends Part<'stores'> {
  readonly reads: SinkPart['reads'] & Pick<MintTopics, 'stores'>
}

/** Whose history is kept. */
interface SunkTopology extends Topology {
  readonly sinks: { readonly clickhouse: SinkPart }
  readonly operations: Topology['operations'] & { readonly verify: SunkAndStores; readonly export: SunkAndStores }
}

/** Of a chain whose launchpad makes mints. */
export interface MintTopology extends SunkTopology {
  readonly chain: ChainDefinition<TapeEvent>
  folds(partitions: number): FoldsDefinition<TapeEvent>
  /** Those that the folds run. */
  readonly detectors: DetectorSet
  readonly sources: Topology['sources'] & {
    readonly demo: Part<never, 'raw' | 'tape'> & WithHistory
    readonly live: LiveCapture
  }
  readonly sinks: SunkTopology['sinks'] & {
    /** Gives judgements their odds. */
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
    /** Computes logged odds once more, off their judgements. */
    readonly explainOdds: Part<'judgements' | 'odds' | 'models'>
  }
}

/** What runs the odds models of a chain. */
export type OddsTopology = Pick<MintTopology, 'chain' | 'sinks' | 'views'>

/** Of a chain whose launchpad makes curves. */
export interface CurveTopology extends SunkTopology {
  readonly sources: Topology['sources'] & { readonly live: LiveCapture }
  readonly views: {
    /** Cards and lists. */
    readonly curves: AnyPart & { readonly reads: ViewTopics & Pick<CurveTopics, 'curveChangelog'> }
    readonly source: Part<'raw' | 'sources'>
  }
  readonly chain: ChainDefinition<AltTapeEvent, AltDecodeRows>
  folds(partitions: number): FoldsDefinition<AltTapeEvent>
  /** Those that the folds run. */
  readonly detectors: DetectorSet<CurveDetector>
}

/** What the tasks are fed with: frames, and events. Who has a partition of it works on its task. */
export const inputsOf = ({ decode, folds }: Topology) => ({ raw: decode(1).input, tape: folds(1).input })

/** What a task writes, its rows and facts among it. */
export const writtenBy = <Event, Header extends FrameHeader>(task: TaskDefinition<Event, Header>): readonly Topic[] => {
  const { folds, writes, changelog, formerChangelog, exchange, bases } = task
  const ofFolds = folds.flatMap((fold) => [fold.changelog, ...fold.writes])
  return [...ofFolds, ...writes, changelog, formerChangelog, exchange?.topic, bases].filter((topic) => topic !== undefined)
}

/** The parts of a topology beside its tasks, by group. */
export const groupsOf = ({ sources, sinks, views, operations }: Topology): readonly (readonly [string, Parts])[] =>
  Object.entries<Parts>({ sources, sinks, views, operations })

/** Where the folds write findings, outcomes and the like: what a rebuild compares by id. */
export const conclusionsOf = ({ chain, folds }: Topology): readonly Topic[] =>
  folds(1)
    .folds.flatMap(({ writes }) => writes)
    .filter(({ schema }) => schema === chain.conclusions.schema)

/** As `topicsOf` for chains that run over one log. */
export const topicsOfAll = (topologies: readonly Topology[]): readonly Topic[] => [...new Set(topologies.flatMap(topicsOf))]

/** All that is read and written. */
export const topicsOf = (topology: Topology): readonly Topic[] => {
  const { decode, folds } = topology
  const ofTasks = [...Object.values(inputsOf(topology)), ...writtenBy(decode(1)), ...writtenBy(folds(1))]
  const parts = groupsOf(topology).flatMap(([, group]) => Object.values(group))
  return [...new Set([...ofTasks, ...parts.flatMap(({ reads, writes }) => [...Object.values(reads), ...Object.values(writes)])])]
}
