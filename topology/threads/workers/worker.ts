// A worker thread for tasks of folds, seen from the thread that assigns them.
import type { MessagePort } from 'node:worker_threads'
import { proxy, transfer } from 'comlink'
import type { Topic } from '../../../schemas/topics.ts'
import type { Chain } from '../../../schemas/types.ts'
import type { Waits } from '../../engine/definition.ts'
import type { CommitObserver } from '../../logs/observed-log.ts'
import type { Notice } from '../../ports/notice.ts'
import type { FoldWorker, RunningTask } from '../../runtime/task-spec.ts'
import { within } from '../../waiting/waiting.ts'
import { FOLD_MEMORY, type ThreadMemory } from '../here.ts'
import { type StartedThread, startThread } from '../start.ts'
import { type PeerLinks, portsOf } from './peers.ts'
import type { RebuildParts, TaskState, WorkerReport, WorkerThread } from './wire.ts'
import { WorkerTask } from './worker-task.ts'

/** Without a report for this long, a worker counts as stuck: its tasks then have to progress within the watchdog's limit. */
const SILENT_MS = 5_000
/** Limit for closing the worker's log. It only disconnects, because the tasks have ended before. */
const CLOSE_MS_MAX = 1_000

/** What all workers of a process have in common. */
export interface WorkerPlace {
  /** The thread's entry module. */
  readonly entry: URL
  /** Topics of the log. */
  readonly topics: readonly Topic[]
  /** Input of the entry module, structured-cloneable. */
  readonly given: unknown
  /** For scratch files. */
  readonly dataDir: string
  /** See `WorkerParts`; absent: null. */
  readonly rebuild?: RebuildParts
  readonly notice: Notice
  /** Receives the commits of the worker's tasks. */
  readonly observer?: CommitObserver
}

/** A worker with an open log. */
export interface OpenWorker extends FoldWorker {
  /** Name of the thread. */
  readonly name: string
  memory(): Promise<ThreadMemory>
  /** From now on its operations do not wait for an unreachable log. */
  hurry(): void
  /** Closes its log and ends the thread. Call it after the tasks have ended. */
  end(): Promise<void>
}

/**
 * A worker for each of the links: all of them, or none. `logs`: for each worker the port on which its log is served; absent: each opens its
 * own. @throws what opening a log throws
 */
export const openWorkers = async (
  links: readonly PeerLinks[],
  place: WorkerPlace,
  logs: readonly MessagePort[] = [],
): Promise<readonly OpenWorker[]> => {
  const opening = links.map((own, n) => openWorker(logs[n] ?? null, own, place))
  const opened = await Promise.allSettled(opening)
  const workers = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  if (workers.length < links.length) await endWorkers(workers)
  return Promise.all(opening)
}

/** Call it after the tasks have ended. */
export const endWorkers = async (workers: readonly OpenWorker[]): Promise<void> => {
  await Promise.all(workers.map((worker) => worker.end()))
}

/** By name of the thread. */
export const memoryOf = async (workers: readonly OpenWorker[]): Promise<ReadonlyMap<string, ThreadMemory>> =>
  new Map(await Promise.all(workers.map(async (worker) => [worker.name, await worker.memory()] as const)))

const openWorker = async (log: MessagePort | null, links: PeerLinks, place: WorkerPlace): Promise<OpenWorker> => {
  const { entry, topics, given, dataDir, rebuild = null, notice, observer } = place
  const name = `${rebuild === null ? 'folds' : 'rebuild'}-${links.index}`
  const thread = startThread<WorkerThread>(log, { entry, topics, name, memory: FOLD_MEMORY })
  const worker = new ThreadWorker(name, thread, observer)
  try {
    const host = proxy({ notice, report: (report: WorkerReport) => worker.take(report) })
    await thread.orBroken(thread.api.open(given, { dataDir, rebuild }, transfer(links, portsOf(links)), host))
    return worker
  } catch (failure) {
    await thread.end()
    throw failure
  }
}

class ThreadWorker implements OpenWorker {
  readonly name: string
  readonly broken: Promise<never>
  readonly #thread: StartedThread<WorkerThread>
  readonly #observer: CommitObserver | undefined
  #states: ReadonlyMap<number, TaskState> = new Map()
  #waits: readonly Waits[] = []
  #heardAt = performance.now()
  #created = 0

  constructor(name: string, thread: StartedThread<WorkerThread>, observer: CommitObserver | undefined) {
    this.name = name
    this.broken = thread.broken
    this.#thread = thread
    this.#observer = observer
  }
  get waits(): readonly Waits[] {
    return this.#waits
  }
  create(chain: Chain, partition: number, revision: () => number): RunningTask {
    const id = this.#created++
    const { api, orBroken } = this.#thread
    return new WorkerTask({
      create: () => orBroken(api.create(id, chain, partition)),
      follow: () => orBroken(api.follow(id)),
      lead: () => void api.lead(id),
      restore: () => orBroken(api.restore(id, revision())),
      run: () => orBroken(api.run(id)),
      stop: () => void api.stop(id),
      state: () => this.#states.get(id),
      isSilent: () => performance.now() - this.#heardAt > SILENT_MS,
    })
  }
  refresh(): Promise<void> {
    return this.#thread.orBroken(this.#thread.api.refresh())
  }
  memory(): Promise<ThreadMemory> {
    return this.#thread.orBroken(this.#thread.api.memory())
  }
  hurry(): void {
    void this.#thread.api.hurry()
  }
  async end(): Promise<void> {
    await within(this.#thread.orBroken(this.#thread.api.close()), CLOSE_MS_MAX)
    await this.#thread.end()
  }
  take({ states, waits, owned, commits, failed }: WorkerReport): void {
    this.#heardAt = performance.now()
    this.#states = new Map(states.map((state) => [state.id, state]))
    this.#waits = waits
    for (const inputs of owned) this.#observer?.owned(inputs)
    for (const commit of commits) this.#observer?.committed(commit)
    for (const owner of failed) this.#observer?.failed(owner)
  }
}
