// Folds and view running on an LMDB log that already holds a market: shared by the benches of a running process.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TapeBatch } from '../../schemas/types.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import type { Log } from '../../topology/ports/log.ts'
import { type Folds, startFolds } from '../../topology/runtime/runtime.ts'
import { foldInThread } from '../../topology/threads/folds/thread-folds.ts'
import { topicsOf } from '../../topology/topology.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import { fillTape, tapeRecordsOn } from './fill-tape.ts'
import { DEFAULT_SHAPE, syntheticTape, type TapeShape } from './synthetic-tape.ts'

type Folding = (log: Log) => Promise<Pick<Folds, 'stop'>>

const THREAD = new URL('../../topology/cli/threads/folds-thread.mjs', import.meta.url)
const never = new AbortController().signal
export const PARTITIONS = 4
/** About 20,600 launches within 71 minutes of the stream: all of them live. */
export const LIVE_20K: TapeShape = { ...DEFAULT_SHAPE, events: 640_000, eventsPerFrame: 60 }

/** Runs `use` on a fresh directory and removes it afterwards. */
export const withDirectory = async <Result>(use: (dir: string) => Promise<Result>): Promise<Result> => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-bench-'))
  try {
    return await use(dir)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Writes the tape to a new log in `dir`, folds it to its end and closes the log. */
export const makeMarket = async (dir: string, tape: Iterable<TapeBatch>): Promise<void> => {
  const log = await openLmdbLog({ dir, partitions: PARTITIONS })
  await fillTape(log, tape)
  const folds = await startFolds(log, [LAUNCH_RISK])
  await folds.caughtUp()
  await folds.stop()
  await log.close()
}

/** A running market: log and view in this process. */
export interface LiveMarket {
  readonly log: Log
  readonly view: LogMintView
  stop(): Promise<void>
}

/** Folds in a thread, as in `mintfold up`. */
const inThread: Folding = (log) =>
  foldInThread(
    log,
    { entry: THREAD, topics: topicsOf(LAUNCH_RISK), dataDir: join(tmpdir(), 'mintfold-bench'), given: { chains: ['solana'] } },
    { rebuilding: () => {}, notice: () => {}, stop: never },
  )

/** @param fold starts the folds on the log */
export const startMarket = async (dir: string, fold: Folding = inThread): Promise<LiveMarket> => {
  const log = await openLmdbLog({ dir, partitions: PARTITIONS })
  const folds = await fold(log)
  const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  await view.start()
  return {
    log,
    view,
    stop: async () => {
      await folds.stop()
      await view.stop()
      await log.close()
    },
  }
}

/** Splits a tape: frames before the measurement, and those sent during it. */
export const splitTape = (shape: TapeShape, framesBefore: number): { readonly before: TapeBatch[]; readonly rest: Iterator<TapeBatch> } => {
  const rest = syntheticTape(shape)[Symbol.iterator]()
  const before: TapeBatch[] = []
  for (let frame = rest.next(); !frame.done; frame = rest.next()) {
    before.push(frame.value)
    if (before.length === framesBefore) break
  }
  return { before, rest }
}

export interface Pacing {
  readonly framesPerS: number
  readonly seconds: number
  /** Called with each frame just before it is appended, and with the time at which it was due (ms of `performance.now()`). */
  readonly sent?: (frame: TapeBatch, dueMs: number) => void
}

/** Appends frames when they are due, however slow the log is. Resolves to the number of frames once the last is durable. */
export const paceTape = async (log: Log, tape: Iterator<TapeBatch>, { framesPerS, seconds, sent }: Pacing): Promise<number> => {
  const owner = await log.own('bench')
  const recordsOf = tapeRecordsOn(log)
  const started = performance.now()
  const commits: Promise<void>[] = []
  let frames = 0
  while (frames < framesPerS * seconds) {
    const due = Math.min(framesPerS * seconds, Math.floor(((performance.now() - started) * framesPerS) / 1_000) + 1)
    const outputs = []
    for (; frames < due; frames++) {
      const frame = tape.next()
      if (frame.done) throw new Error('the tape is too short for the load')
      sent?.(frame.value, started + (frames * 1_000) / framesPerS)
      outputs.push(...recordsOf(frame.value))
    }
    if (outputs.length > 0) commits.push(owner.commit({ outputs, inputs: new Map() }))
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await Promise.all(commits)
  return frames
}
