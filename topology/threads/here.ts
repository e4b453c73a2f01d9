// The environment of a thread started by `startThread`.
import { type MessagePort, workerData } from 'node:worker_threads'
import { assert } from '../../schemas/errors.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { Log } from '../ports/log.ts'
import { passFailures } from './failures.ts'
import { openRemoteLog } from './log/remote-log.ts'

/** Passed by the starting side. */
export interface ThreadPorts {
  /** For the API that the thread exposes. */
  readonly port: MessagePort
  /** For the log of the main thread; null for a thread that opens a log itself. */
  readonly log: MessagePort | null
  /** The log's topics, in the order in which both sides number them. */
  readonly topics: readonly Topic[]
}

export interface ThreadHere extends Pick<ThreadPorts, 'port' | 'topics'> {
  /** Opens the log that the starting side serves. */
  openLog(): Promise<Log>
}

/** Call it once, before any message is sent. */
export const threadHere = (): ThreadHere => {
  passFailures()
  const { port, log, topics } = workerData as ThreadPorts
  const openLog = (): Promise<Log> => {
    assert(log !== null, 'the starting side serves no log to this thread')
    return openRemoteLog(log, topics)
  }
  return { port, topics, openLog }
}

/** Memory of a thread that folds: most new objects live for one frame, and some frames' objects fit. Flags of Node override it. */
export const FOLD_MEMORY = { maxYoungGenerationSizeMb: 192 }

/** Memory of this thread alone, bytes. */
export interface ThreadMemory {
  readonly heapBytes: number
  readonly externalBytes: number
}

export const memoryHere = (): ThreadMemory => {
  const { heapUsed: heapBytes, external: externalBytes } = process.memoryUsage()
  return { heapBytes, externalBytes }
}
