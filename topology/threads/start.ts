// Starts a thread that works on the main thread's log and answers by messages.
import { MessageChannel, type ResourceLimits, Worker } from 'node:worker_threads'
import { type Remote, wrap } from 'comlink'
import type { Topic } from '../../schemas/topics.ts'
import type { Log } from '../ports/log.ts'
import { passFailures } from './failures.ts'
import type { ThreadPorts } from './here.ts'
import { serveLog } from './log/serve-log.ts'

export interface StartedThread<Api> {
  readonly api: Remote<Api>
  /** Resolves like `asked`, but rejects on an uncaught failure of the thread, or if the thread has ended. */
  orBroken<Result>(asked: Promise<Result>): Promise<Result>
  /** Terminates it at once. */
  end(): Promise<void>
}

/** Options of a thread. */
export interface ThreadStart {
  /** Its module, which exposes its API on the port of `threadHere`. */
  readonly entry: URL
  /** Name for messages about it. */
  readonly name: string
  readonly memory: ResourceLimits
  /** Topics of the log. */
  readonly topics: readonly Topic[]
}

export const startThread = <Api>(log: Log, { entry, name, memory, topics }: ThreadStart): StartedThread<Api> => {
  passFailures()
  const [calls, ofLog] = [new MessageChannel(), new MessageChannel()]
  const unserve = serveLog(log, ofLog.port1, topics)
  const workerData: ThreadPorts = { port: calls.port2, log: ofLog.port2, topics }
  const worker = new Worker(entry, { name, workerData, transferList: [calls.port2, ofLog.port2], resourceLimits: memory })
  const broken = new Promise<never>((_resolve, reject) => {
    worker.on('error', reject)
    worker.on('exit', (code) => reject(new Error(`the thread '${name}' has ended with code ${code}`)))
  })
  broken.catch(() => {})
  return {
    api: wrap<Api>(calls.port1),
    orBroken: (asked) => Promise.race([asked, broken]),
    end: async () => {
      await worker.terminate()
      calls.port1.close()
      unserve()
    },
  }
}
