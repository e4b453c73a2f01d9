// What a thread finds where it was started by `startThread`.
import { type MessagePort, workerData } from 'node:worker_threads'
import type { Topic } from '../../schemas/topics.ts'
import type { Log } from '../ports/log.ts'
import { passFailures } from './failures.ts'
import { openFarLog } from './log/far-log.ts'

/** What the starting side hands over. */
export interface ThreadPorts {
  /** For what the thread exposes. */
  readonly port: MessagePort
  /** Of the log of the process. */
  readonly log: MessagePort
  /** The log's topics, in the order that both sides number them. */
  readonly topics: readonly Topic[]
}

/** Called once, before anything is said. */
export const threadHere = (): { readonly port: MessagePort; readonly openLog: () => Promise<Log> } => {
  passFailures()
  const { port, log, topics } = workerData as ThreadPorts
  return { port, openLog: () => openFarLog(log, topics) }
}

/** Of this thread alone, bytes. */
export interface ThreadMemory {
  readonly heapBytes: number
  readonly externalBytes: number
}

export const memoryHere = (): ThreadMemory => {
  const { heapUsed: heapBytes, external: externalBytes } = process.memoryUsage()
  return { heapBytes, externalBytes }
}
