// A thread of this process that answers by messages.
import { MessageChannel, type MessagePort, type ResourceLimits, Worker } from 'node:worker_threads'
import { type Remote, wrap } from 'comlink'
import { passFailures } from './failures.ts'

export interface StartedThread<Api> {
  readonly api: Remote<Api>
  /** Rejects with a bug that nobody there waited for, and when the thread ends. Handled. */
  readonly broken: Promise<never>
  /** Ends it wherever it is. */
  end(): Promise<void>
}

/** What a thread begins with. */
export interface ThreadStart {
  /** Its module, which exposes its API on `workerData.port`. */
  readonly entry: URL
  /** For messages that name it. */
  readonly name: string
  readonly memory: ResourceLimits
  /** More ports that it is given, as `workerData`. */
  readonly ports?: Readonly<Record<string, MessagePort>>
}

export const startThread = <Api>({ entry, name, memory, ports = {} }: ThreadStart): StartedThread<Api> => {
  passFailures()
  const { port1, port2 } = new MessageChannel()
  const workerData = { ...ports, port: port2 }
  const worker = new Worker(entry, { name, workerData, transferList: Object.values(workerData), resourceLimits: memory })
  const broken = new Promise<never>((_resolve, reject) => {
    worker.on('error', reject)
    worker.on('exit', (code) => reject(new Error(`the thread '${name}' has ended with code ${code}`)))
  })
  broken.catch(() => {})
  const end = async (): Promise<void> => {
    await worker.terminate()
    port1.close()
  }
  return { api: wrap<Api>(port1), broken, end }
}
