// The environment of a thread started by `startThread`.
import { type MessagePort, workerData } from 'node:worker_threads'
import type { Topic } from '../../schemas/topics.ts'
import type { Log } from '../ports/log.ts'
import { passFailures } from './failures.ts'
import { openRemoteLog } from './log/remote-log.ts'

/** Passed by the starting side. */
export interface ThreadPorts {
  /** For the API that the thread exposes. */
  readonly port: MessagePort
  /** For the log of the main thread. */
  readonly log: MessagePort
  /** The log's topics, in the order in which both sides number them. */
  readonly topics: readonly Topic[]
}

/** Call it once, before any message is sent. */
export const threadHere = (): { readonly port: MessagePort; readonly openLog: () => Promise<Log> } => {
  passFailures()
  const { port, log, topics } = workerData as ThreadPorts
  return { port, openLog: () => openRemoteLog(log, topics) }
}

/** Memory of this thread alone, bytes. */
export interface ThreadMemory {
  readonly heapBytes: number
  readonly externalBytes: number
}

export const memoryHere = (): ThreadMemory => {
  const { heapUsed: heapBytes, external: externalBytes } = process.memoryUsage()
  return { heapBytes, externalBytes }
}
