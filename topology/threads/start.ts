// Starts a thread that works on the main thread's log, or on a log of its own, and answers by messages.
import { MessageChannel, MessagePort, type ResourceLimits, Worker } from 'node:worker_threads'
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
  /** Rejects with the uncaught failure that ended the thread, or because it has ended. */
  readonly broken: Promise<never>
  /** Terminates the thread at once. */
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

/** A log, served over a port. */
export interface ServedLog {
  readonly port: MessagePort
  /** Ends the service; the log stays open. */
  end(): void
}

export const servedLog = (log: Log, topics: readonly Topic[]): ServedLog => {
  const { port1, port2 } = new MessageChannel()
  return { port: port2, end: serveLog(log, port1, topics) }
}

/** `log`: a log to serve, the port on which one is served already, or null for a thread that opens its own. */
export const startThread = <Api>(log: Log | MessagePort | null, { entry, name, memory, topics }: ThreadStart): StartedThread<Api> => {
  passFailures()
  const calls = new MessageChannel()
  const served = log === null || log instanceof MessagePort ? null : servedLog(log, topics)
  const port = log instanceof MessagePort ? log : (served?.port ?? null)
  const workerData: ThreadPorts = { port: calls.port2, log: port, topics }
  const transferList = [calls.port2, ...(port === null ? [] : [port])]
  const worker = new Worker(entry, { name, workerData, transferList, resourceLimits: memory })
  const broken = new Promise<never>((_resolve, reject) => {
    worker.on('error', reject)
    worker.on('exit', (code) => reject(new Error(`the thread '${name}' has ended with code ${code}`)))
  })
  broken.catch(() => {})
  return {
    api: wrap<Api>(calls.port1),
    orBroken: (asked) => Promise.race([asked, broken]),
    broken,
    end: async () => {
      await worker.terminate()
      calls.port1.close()
      served?.end()
    },
  }
}
