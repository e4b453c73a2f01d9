// What `up` needs of a source of frames, whichever it is.
import { EngineError } from '../../schemas/errors.ts'
import type { Anchor } from '../../schemas/types.ts'
import type { AccountReader } from '../ports/accounts.ts'
import type { Clock } from '../ports/chain-view.ts'
import type { SourceLog } from '../ports/log.ts'
import type { Notice } from '../ports/notice.ts'
import type { SourceStatus } from '../ports/source-status.ts'
import type { Speed } from './recording/recording.ts'

/** What a long start has done: stream time that is written or simulated again, and how much there will be, seconds. */
export type Progress = (done: { readonly atS: number; readonly ofS: number }) => void
/** Where the paced part of a stream has begun against the wall, unix ms. */
export type Line = Pick<Anchor, 'streamMs' | 'wallMs'>
/** Writes frames to the raw topic, which it has taken over, exactly once over any number of starts. Its clock is the time of the cards. */
export interface Source extends SourceStatus, Clock {
  now(): number
  /** Frames that are on the log. */
  readonly frames: number
  /** True when it has no more to give. */
  readonly ended: boolean
  /** Where its time stands against the wall; speed 0 once it has ended, undefined before the first frame. */
  anchor(): Anchor | undefined
  /** Long work that must be done before the folds start: `progress` is told how far it is, in stream seconds. */
  prepare?(progress: Progress): Promise<void>
  /** Resolves at the end of the source, or when it was stopped. On the line of another source of the same stream, where one is given. */
  run(line?: Line): Promise<void>
}

/** What a source stands on. */
export interface Ground {
  /** Null where nothing may be kept beside the frames. */
  readonly dataDir: string | null
  readonly stop: AbortSignal
  /** Slot that every fold has seen; null before the first. */
  readonly folded: () => number | null
  /** Where it tells of itself. */
  readonly notice?: Notice
}

/** A stretch of a demo's stream, seconds after its paced part begins. */
export interface Stretch {
  readonly fromS: number
  readonly toS: number
}

/** What a demo is played with; what is absent is as the demo has it. */
export interface DemoPlay {
  /** 1 unless given. */
  readonly speed?: Speed
  readonly seed?: number
  /** Unix milliseconds at which the paced part begins. */
  readonly start?: number
  readonly rate?: number
  /** Hours. */
  readonly history?: number
  /** Seconds of frames at full speed between history and paced part; no option of the command line. */
  readonly catchUp?: number
  readonly gap?: readonly Stretch[]
  readonly lostPerMillion?: number
  /** An hour, on the mean. */
  readonly forks?: number
  /** Seconds after the paced part begins. */
  readonly regimeAfter?: number
  /** The source ends after so many frames, over all starts. */
  readonly frames?: number
}

/** What a live source needs beside the log. `Settings`: the nodes of its chain. */
export interface LiveGround<Settings> {
  readonly settings: Settings
  readonly notice: Notice
  readonly stop: AbortSignal
  /** It ends after so many frames, over all starts; absent: never. */
  readonly framesMax?: number
  /** Frames wait for their checks against a second source. */
  readonly waitsForChecks?: boolean
}

/** Where the frames of a chain come from beside recordings. What is heavy is loaded once played. */
export interface ChainSources<Settings> {
  /** `--source live`. @throws as opening it does */
  live(log: SourceLog, ground: LiveGround<Settings>): Promise<OpenSource>
  /** `--source demo`. @throws as opening it does */
  demo(log: SourceLog, play: DemoPlay, ground: Ground): Promise<OpenSource>
}

/** A source of a log, ready to be prepared and run. */
export interface OpenSource {
  readonly source: Source
  /** `meta.source` of every answer. */
  readonly facts: string
  /** For people: what is played. */
  readonly words: string
  /** What a node of the source's own chain says of accounts; absent where it has none. */
  readonly accounts?: AccountReader
  /** Lets go of what it stands on, once it has run or was stopped; absent where there is nothing. */
  close?(): Promise<void>
}

export const otherSource = (held: string, asked: string): EngineError =>
  new EngineError(
    'data_dir_source',
    `the data directory holds frames of another source (${held}), not of ${asked}: set MINTFOLD_DATA_DIR to a fresh directory, or play that source`,
    { facts: { held, asked } },
  )
