// The worker's side: runs tasks of folds that another thread assigns.
import { expose, type Remote } from 'comlink'
import { assert } from '../../../schemas/errors.ts'
import { type ClosablePages, openScratchPages } from '../../data-dir/scratch-pages.ts'
import type { EngineLimits } from '../../engine/limits.ts'
import { TimeSlice } from '../../engine/time-slice.ts'
import { type CommitObserver, observedLog } from '../../logs/observed-log.ts'
import type { Log } from '../../ports/log.ts'
import type { Notice } from '../../ports/notice.ts'
import { LocalFolds } from '../../runtime/local-folds.ts'
import { limitsOfTask } from '../../runtime/runtime.ts'
import type { RunningTask } from '../../runtime/task-spec.ts'
import type { Topology } from '../../topology.ts'
import { withoutBases } from '../../versions/folding/fold-again.ts'
import { memoryHere, type ThreadHere, threadHere } from '../here.ts'
import { peersOf } from './peers.ts'
import type { WorkerHost, WorkerReport, WorkerThread } from './wire.ts'

/** Interval of the reports. */
const REPORT_MS = 100

/** The log and the chains of a worker. */
interface WorkerWork {
  readonly log: Log
  readonly topologies: readonly Topology[]
  /** Of all tasks of the process together. */
  readonly limits: EngineLimits
}

type Open<Given> = (given: Given, here: Pick<ThreadHere, 'openLog'> & { readonly notice: Notice }) => Promise<WorkerWork>

interface HeldTask {
  readonly task: RunningTask
  /** Ends its following. */
  readonly following: AbortController
  /** Of the stores; set when it is restored. */
  revision: number
}

/** Serves the tasks of the folds to the thread that started this one. */
export const serveWorker = <Given>(open: Open<Given>): void => {
  const { port, openLog } = threadHere()
  const reporter = new Reporter()
  const tasks = new Map<number, HeldTask>()
  let opened: { readonly log: Log; readonly folds: LocalFolds; readonly pages: ClosablePages } | undefined
  const work = () => {
    assert(opened !== undefined, 'a worker is opened before it is used')
    return opened
  }
  const taskOf = (id: number): HeldTask => {
    const task = tasks.get(id)
    assert(task !== undefined, `${id} is the number of a task`)
    return task
  }
  const orForget = async (id: number, beginning: Promise<void> | undefined): Promise<void> => {
    try {
      await beginning
    } catch (failure) {
      tasks.delete(id)
      throw failure
    }
  }
  const report = (): Promise<void> => reporter.report(tasks, opened?.folds.waits ?? [])
  const thread: WorkerThread = {
    async open(given, { dataDir, rebuild }, links, proxied) {
      const host = proxied as unknown as Remote<WorkerHost>
      const notice: Notice = (code, facts) => void host.notice(code, facts)
      const { log, topologies: all, limits } = await open(given as Given, { openLog, notice })
      const topologies = rebuild === null ? all : all.filter(({ chain }) => chain.name === rebuild.chain)
      const observed = observedLog(log, reporter)
      const peers = peersOf(log, topologies, links)
      const own = rebuild?.limits ?? limitsOfTask(log, topologies, limits)
      const pages = openScratchPages(dataDir)
      // A rebuild folds with stores of its own.
      const [definitionOf, messages] = rebuild === null ? [undefined, log.messages] : [withoutBases, undefined]
      const parts = { log: observed, limits: own, slice: new TimeSlice(own.sliceMs), peers, messages, pages, definitionOf }
      const folds = new LocalFolds(topologies, parts)
      peers.listen((chain, delivery) => folds.receive(chain, delivery))
      opened = { log, folds, pages }
      reporter.to(host)
      setInterval(report, REPORT_MS)
    },
    create(id, chain, partition) {
      const task = work().folds.create(chain, partition, () => held.revision)
      const held: HeldTask = { task, following: new AbortController(), revision: -1 }
      tasks.set(id, held)
    },
    async follow(id) {
      const { task, following } = taskOf(id)
      await orForget(id, task.follow?.(following.signal))
    },
    lead: (id) => tasks.get(id)?.following.abort(),
    async restore(id, revision) {
      const held = taskOf(id)
      held.revision = revision
      await orForget(id, held.task.restore())
    },
    async run(id) {
      try {
        await taskOf(id).task.run()
      } finally {
        tasks.delete(id)
      }
    },
    stop: (id) => tasks.get(id)?.task.stop(),
    async refresh() {
      await work().log.refresh()
      await report()
    },
    hurry: () => opened?.log.hurry?.(),
    memory: memoryHere,
    async close() {
      await opened?.log.close()
      await opened?.pages.close()
    },
  }
  expose(thread, port)
}

/** Collects what the next report contains. */
class Reporter implements CommitObserver {
  #host: Remote<WorkerHost> | undefined
  #owned: WorkerReport['owned'][number][] = []
  #commits: WorkerReport['commits'][number][] = []
  #failed: string[] = []

  owned(inputs: ReadonlyMap<string, number>): void {
    this.#owned.push(inputs)
  }
  committed(commit: WorkerReport['commits'][number]): void {
    this.#commits.push(commit)
  }
  failed(owner: string): void {
    this.#failed.push(owner)
  }
  to(host: Remote<WorkerHost>): void {
    this.#host = host
  }
  async report(tasks: ReadonlyMap<number, HeldTask>, waits: WorkerReport['waits']): Promise<void> {
    const states = [...tasks].map(([id, { task }]) => {
      const { isCaughtUp, progress, steps = null, isWarm = true } = task
      return { id, isCaughtUp, progress, steps, isWarm }
    })
    const [owned, commits, failed] = [this.#owned, this.#commits, this.#failed]
    this.#owned = []
    this.#commits = []
    this.#failed = []
    await this.#host?.report({ states, waits, owned, commits, failed })
  }
}
