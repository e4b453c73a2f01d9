// What a topology is made of. Its one value is in launch-risk.ts. Everything else gets its own piece of that value and names no topic by
// itself: whatever is read or written is in the value, and `mintfold topology` prints all of it.
import type { FrameHeader } from '../processors/contract.ts'
import type { DetectorSet } from '../processors/mint/detectors/set.ts'
import type { TapeHeader } from '../processors/mint/mint.ts'
import type { Topic, Topics } from '../schemas/topics.ts'
import type { RawFrame, TapeEvent } from '../schemas/types.ts'
import type { TaskDefinition } from './engine/definition.ts'

type Role = keyof Topics

/** A part of the program at work on the log, with the topics that it gets. */
export interface Part<Reads extends Role = never, Writes extends Role = never> {
  readonly reads: Pick<Topics, Reads>
  readonly writes: Pick<Topics, Writes>
}

/** Any part, and the topics of a task. */
export interface AnyPart extends Partial<WithHistory> {
  readonly reads: Readonly<Record<string, Topic>>
  readonly writes: Readonly<Record<string, Topic>>
}
interface Ends {
  readonly reads: readonly Topic[]
  readonly writes: readonly Topic[]
}

/** Writes the past of its market as a task would have: with the task's own topics. */
interface WithHistory {
  readonly history: Topology['decode']
}

type Rebuilt = 'corrections' | 'flags' | 'outcomes' | 'progress' | 'exchange' | 'bases' | 'deadLetters' | 'stores' | 'rebuilds'

export interface Topology {
  /** Those that the folds run. */
  readonly detectors: DetectorSet
  /** Slots of an epoch: facts that keys send each other apply at the tick that ends the next. */
  readonly framesPerEpoch: number
  readonly sources: {
    readonly demo: Part<never, 'raw' | 'tape'> & WithHistory
    readonly recording: Part<never, 'raw'>
    readonly live: Part<'raw' | 'captureChangelog', 'raw' | 'captureChangelog'>
    /** Publishes what is captured, and its clock. */
    readonly clock: Part<never, 'sources'>
  }
  /** The one task that decodes the chain, for a tape with so many partitions. */
  decode(partitions: number): TaskDefinition<RawFrame, FrameHeader>
  /** The tasks that fold the tape, one for each of so many partitions. */
  folds(partitions: number): TaskDefinition<TapeEvent, TapeHeader>
  readonly sinks: {
    readonly clickhouse: Part<'raw' | 'tape' | 'flags' | 'outcomes' | 'deadLetters' | 'corrections' | 'progress'>
  }
  readonly views: {
    /** Cards, lists and records. */
    readonly mints: Part<
      | 'stores'
      | 'rebuilds'
      | 'flags'
      | 'outcomes'
      | 'mintChangelog'
      | 'creatorChangelog'
      | 'walletChangelog'
      | 'progress'
      | 'decodeChangelog'
      | 'deadLetters'
    >
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
    readonly verify: Part<'raw' | 'tape' | 'flags' | 'outcomes' | 'deadLetters' | 'corrections' | 'progress' | 'stores'>
    readonly letters: Part<'deadLetters'>
    /** What the log on Kafka keeps for itself. */
    readonly kafka: Part<'owners', 'owners'>
  }
}

/** What the tasks are fed with: frames, and events. Who has a partition of it works on its task. */
export const inputsOf = ({ decode, folds }: Topology) => ({ raw: decode(1).input, tape: folds(1).input })

/** What a task reads and writes. */
export const topicsOfTask = <Event, Header extends FrameHeader>(task: TaskDefinition<Event, Header>): Ends => {
  const { input, folds, writes, changelog, formerChangelog: former, exchange, bases } = task
  const kept = [...folds.map((fold) => fold.changelog), changelog, former, exchange?.topic].filter((topic) => topic !== undefined)
  const written = [...folds.flatMap((fold) => fold.writes), ...writes]
  return { reads: [input, ...kept], writes: [...written, ...kept, ...(bases === undefined ? [] : [bases])] }
}

/** All that is read and written. */
export const topicsOf = ({ detectors: _, framesPerEpoch: __, decode, folds, ...groups }: Topology): readonly Topic[] => {
  const parts = Object.values<Readonly<Record<string, AnyPart>>>(groups).flatMap((group) => Object.values(group))
  const ends = [topicsOfTask(decode(1)), topicsOfTask(folds(1))]
  return [...new Set([...ends, ...parts].flatMap(({ reads, writes }) => [...Object.values(reads), ...Object.values(writes)]))]
}
