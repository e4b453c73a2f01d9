// An early capture: only the newest minutes of the primary chain's demo, in memory, so that there is something to buy while the history
// is written. It captures the same market, starting 15 minutes ago: the same slots, mints, findings and clock.

import { DEMO_BOUNDS, LAUNCH_RISK } from '../../launch-risk.ts'
import { createMemoryLog } from '../../logs/memory/memory.ts'
import type { StreamClock } from '../../ports/chain-view.ts'
import type { Notice } from '../../ports/notice.ts'
import type { SourceStatus } from '../../ports/source-status.ts'
import type { Line, Source, SourceHandle, StartProgress } from '../../sources/source.ts'
import { foldInThread } from '../../threads/folds/thread-folds.ts'
import { openInThread } from '../../threads/source/thread-source.ts'
import { topicsOf } from '../../topology.ts'
import type { Capture } from '../../views/front.ts'
import { LogMintView } from '../../views/mint-view.ts'
import { pause } from '../../waiting/waiting.ts'
import { DEMO, sourceName } from '../settings/source-name.ts'
import type { EndOptions, SourceOptions } from '../settings/source-options.ts'
import { FOLDS_THREAD, type GivenFolds, SOURCE_THREAD } from '../threads/threads.ts'
import type { GivenSource } from '../wiring/open-source.ts'

const { CATCH_UP_S, HISTORY_S } = DEMO_BOUNDS
/** The early capture starts this many seconds before the paced part. It delivers the last FRAMES_S of these as frames. */
export const EARLY_S = 900
const FRAMES_S = 10
/** A shorter history needs no early capture: it is written just as fast. */
const HISTORY_S_MIN = 3_600
/** A capture is live when it lags the clock by at most this, ms: the limit up to which compact checks are answered. */
const NEAR_MS = 5_000
const POLL_MS = 50

const CHAINS: GivenFolds = { chains: [LAUNCH_RISK.chain.name], addresses: null }

const historySOf = ({ history }: SourceOptions): number => (history === undefined ? HISTORY_S : Math.round(history * 3_600))

const isDemoOfPrimary = ({ source }: SourceOptions): boolean => {
  const name = sourceName(source)
  return name?.kind === DEMO && (name.chain ?? LAUNCH_RISK.chain.name) === LAUNCH_RISK.chain.name
}

/**
 * Whether the work before the paced part is long enough to need an early capture. Only at real time: at a higher speed, the full capture
 * of a slow machine never catches up with the early one, whose minutes are kept in memory. Nor for a demo on wall time that was stopped
 * for longer before its first frame.
 */
export const wantsEarly = (options: SourceOptions & EndOptions, nowMs: number): boolean =>
  isDemoOfPrimary(options) &&
  (options.speed ?? 1) === 1 &&
  options.frames === undefined &&
  historySOf(options) >= HISTORY_S_MIN &&
  !(options.isOnWall === true && nowMs - (options.start ?? nowMs) > EARLY_S * 1_000)

/** The same market with a gap up to the early minutes. Without forks, because those would differ: it has only the canonical branch. */
export const earlyOptions = (options: SourceOptions): SourceOptions => {
  const leadS = historySOf(options) + CATCH_UP_S
  const gap = [...(options.gap ?? []), { fromS: -leadS, toS: -EARLY_S }]
  return { ...options, history: (leadS - FRAMES_S) / 3_600, catchUp: FRAMES_S, forks: 0, gap }
}

/** A started early capture. */
export interface Early extends Capture {
  readonly view: LogMintView
  readonly source: Source
  /** Resolves when the capture is live or was ended; rejects if it fails before that. */
  readonly live: Promise<void>
  /** Rejects with the failure that ends it; resolves when it was ended. */
  readonly done: Promise<void>
  /** The anchor of its clock, once its paced part has begun. */
  line(): Line | undefined
  end(): Promise<void>
}

export interface EarlyOptions {
  readonly given: GivenSource
  readonly dataDir: string
  readonly notice: Notice
  readonly stop: AbortSignal
  readonly progress: StartProgress
}

export const beginEarly = async ({ given, dataDir, notice, stop, progress }: EarlyOptions): Promise<Early> => {
  const ending = new AbortController()
  const until = AbortSignal.any([stop, ending.signal])
  const log = createMemoryLog({ partitions: 1 })
  const topics = topicsOf(LAUNCH_RISK)
  const folded = (): number | null => view.status().folded?.number ?? null
  const asked = { ...given, options: earlyOptions(given.options) }
  const ground = { dataDir: null, stop: until, folded, notice }
  const opened: SourceHandle = await openInThread(log, { entry: SOURCE_THREAD, topics, given: asked }, ground)
  const { source, accounts } = opened
  const view = new LogMintView(log, LAUNCH_RISK, source, Date.now, notice)
  const starting = foldInThread(log, { entry: FOLDS_THREAD, topics, dataDir, given: CHAINS }, { rebuilding: () => {}, notice, stop: until })
  starting.catch(() => {})
  const prepared = source.prepare?.(progress)
  const running = Promise.all([prepared, starting])
    .then(() => view.start())
    .then(() => (until.aborted ? undefined : source.run()))
  const done = Promise.race([running, starting.then((folds) => folds.done), view.failed]).then(() => {})
  done.catch(() => {})
  let ended: Promise<void> | undefined
  const end = async (): Promise<void> => {
    ending.abort()
    await running.catch(() => {})
    await (await starting.catch(() => undefined))?.stop()
    await view.stop()
    await opened.close?.()
  }
  return {
    ...{ view, clock: source, accounts, source, done },
    live: Promise.race([near(view, source, until), done]),
    line: () => source.anchor(),
    end: () => {
      ended ??= end()
      return ended
    },
  }
}

/** Whether a capture is live: its clock runs with wall time, and its view lags by at most NEAR_MS. */
const isNear = (view: LogMintView, source: SourceStatus & StreamClock): boolean => {
  const [{ folded, ready }, nowMs] = [view.status(), source.now()]
  return ready && folded !== null && nowMs !== null && (source.anchor?.()?.speed ?? 0) > 0 && nowMs - folded.time * 1_000 <= NEAR_MS
}

/** Resolves when the capture is live, or at the stop. */
export const near = async (view: LogMintView, source: SourceStatus & StreamClock, stop: AbortSignal): Promise<void> => {
  while (!stop.aborted && !isNear(view, source)) await pause(POLL_MS, stop)
}
