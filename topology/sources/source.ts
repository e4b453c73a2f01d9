// The interface of all sources of frames.
import { EngineError } from '../../schemas/errors.ts'
import type { Anchor } from '../../schemas/types.ts'
import type { AccountReader } from '../ports/accounts.ts'
import type { StreamClock } from '../ports/chain-view.ts'
import type { SourceLog, TaskOwner } from '../ports/log.ts'
import type { Notice } from '../ports/notice.ts'
import type { SourceStatus } from '../ports/source-status.ts'
import type { Speed } from './recording/recording.ts'

/**
 * Progress of a long start: seconds of stream time simulated so far, and in total. `isNew`: true while the history is written, false while
 * the part that an earlier start wrote is simulated again.
 */
export type StartProgress = (done: { readonly atS: number; readonly ofS: number; readonly isNew: boolean }) => void
/** The anchor of a paced stream: stream time and wall time at its start, unix ms. */
export type Line = Pick<Anchor, 'streamMs' | 'wallMs'>
/** Owns the raw topic and writes frames to it, exactly once over any number of starts. Its clock gives the cards their time. */
export interface Source extends SourceStatus, StreamClock {
  now(): number | null
  /** Number of frames on the log. */
  readonly frames: number
  /** True when it has ended. */
  readonly ended: boolean
  /** The relation of its time to wall time. Of a demo or recording: speed 0 once it has ended, undefined before the first frame. */
  anchor(): Anchor | undefined
  /** Long work before the folds start; reports `progress` in stream seconds. */
  prepare?(progress: StartProgress): Promise<void>
  /** Resolves at the end of the source, or when it was stopped. Follows `line`, the anchor of another source of the same stream, if given. */
  run(line?: Line): Promise<void>
}

/** The context of a source. */
export interface SourceContext {
  /** Null if the source may store nothing but frames. */
  readonly dataDir: string | null
  readonly stop: AbortSignal
  /** The newest slot that every fold has processed; null before the first. */
  readonly folded: () => number | null
  /** Receives its notices. */
  readonly notice?: Notice
}

/** A range of a demo's stream, in seconds. */
export interface Stretch {
  readonly fromS: number
  readonly toS: number
}

/** Options of a demo; absent ones have the demo's defaults. */
export interface DemoPlay {
  /** Default: 1. */
  readonly speed?: Speed
  readonly seed?: number
  /** Unix milliseconds at which the paced part begins. */
  readonly start?: number
  /** True if its clock is the wall clock; else it has its own, which stands still while it is stopped. Only for a demo at speed 1. */
  readonly isOnWall?: boolean
  readonly rate?: number
  /** Hours. */
  readonly history?: number
  /** Seconds of frames at full speed between history and paced part; not an option of the command line. */
  readonly catchUp?: number
  /** Relative to the start of the paced part. */
  readonly gap?: readonly Stretch[]
  readonly lostPerMillion?: number
  /** Per hour, on average. */
  readonly forks?: number
  /** Seconds after the start of the paced part. */
  readonly regimeAfter?: number
  /** Ends the source after this many frames, over all starts. */
  readonly frames?: number
}

/** The start of a demo's paced part, and whether its clock is the wall clock. */
export type HeldStart = Required<Pick<DemoPlay, 'start' | 'isOnWall'>>

/** Options of a live source. `Settings`: the nodes of its chain. */
export interface LiveSourceContext<Settings> {
  readonly settings: Settings
  readonly notice: Notice
  readonly stop: AbortSignal
  /** Ends after this many frames, over all starts; absent: never. */
  readonly framesMax?: number
  /** True if each frame waits for its check with a second source. */
  readonly waitsForChecks?: boolean
}

/** The sources of a chain other than recordings. Heavy modules are loaded on demand. */
export interface ChainSources<Settings> {
  /** `--source live`. @throws as opening it does */
  live(log: SourceLog, ground: LiveSourceContext<Settings>): Promise<SourceHandle>
  /** `--source demo`. @throws as opening it does */
  demo(log: SourceLog, play: DemoPlay, ground: SourceContext): Promise<SourceHandle>
  /** The start of the demo that commits under this name when it is played with these options; undefined for other sources. */
  heldStart(name: string, play: DemoPlay): Promise<HeldStart | undefined>
}

/** A source on a log, ready to be prepared and run. */
export interface SourceHandle {
  readonly source: Source
  /** `meta.source` of every response. */
  readonly facts: string
  /** Description of what is played. */
  readonly words: string
  /** Account reads of the source's own chain; absent if it has none. */
  readonly accounts?: AccountReader
  /** Releases resources, after it has run or was stopped; absent if there are none. */
  close?(): Promise<void>
}

/**
 * Takes over the raw topic of a chain for the source `name`. `counts`: other inputs that its commits name.
 * @throws EngineError `data_dir_source` if the log has frames of another source. A capture of that source in another process then continues.
 */
export const ownRaw = async (log: SourceLog, id: string, name: string, counts: readonly string[] = ['sequence']): Promise<TaskOwner> => {
  const check = (inputs: ReadonlyMap<string, number>): void => {
    const other = [...inputs.keys()].find((input) => input !== name && !counts.includes(input))
    if (other !== undefined) throw otherSource(other, name)
  }
  check((await log.peek?.(id)) ?? new Map())
  const owner = await log.own(id)
  check(owner.committed())
  return owner
}

export const otherSource = (held: string, asked: string): EngineError =>
  new EngineError(
    'data_dir_source',
    `the log has frames of another source (${held}), not of ${asked}: set MINTFOLD_DATA_DIR to an empty directory (on Kafka: another ` +
      'MINTFOLD_TOPIC_PREFIX), or play that source',
    { facts: { held, asked } },
  )
