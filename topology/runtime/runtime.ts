// Runs the tasks of the topology over a log in this process: all of them, or those assigned to it.
import type { ChainNames } from '../../schemas/topics.ts'
import type { Chain } from '../../schemas/types.ts'
import type { Waits } from '../engine/definition.ts'
import { DEFAULT_LIMITS, type EngineLimits } from '../engine/limits.ts'
import { IN_MEMORY } from '../engine/rows/memory-pages.ts'
import { TimeSlice } from '../engine/time-slice.ts'
import { type Assigned, type Assignment, everything } from '../ports/assignment.ts'
import type { PageStore } from '../ports/keyed-pages.ts'
import type { Log } from '../ports/log.ts'
import type { Notice } from '../ports/notice.ts'
import { inputsOf, type Topology } from '../topology.ts'
import type { FoldThreads } from '../versions/folding/making.ts'
import type { RebuildProgress } from '../versions/rebuild/rebuild.ts'
import { memoryStaging, type StagingStores } from '../versions/rebuild/staging-stores.ts'
import { redriveAll } from '../versions/redrive-all.ts'
import { Steps } from '../versions/steps.ts'
import { type Redriven, Stores } from '../versions/stores.ts'
import { pause } from '../waiting/waiting.ts'
import { LocalFolds, type Peers } from './local-folds.ts'
import { TaskManager } from './task-manager.ts'
import { chainPartitionOf, decodePart, foldParts, type Made } from './task-parts.ts'
import type { FoldTasks, FoldWorker, TaskSpec } from './task-spec.ts'

/** A task, of this process or another, for which tasks here wait at the barrier. */
export interface BarrierWait {
  /** Its partition. */
  readonly writer: number
  /** How long the task here that has waited longest for it has waited. */
  readonly seconds: number
}

/** Numbers of partitions: those that a takeover would find ready, and those whose rows are still being read. */
export interface Standbys {
  readonly warm: number
  readonly cold: number
}

/** The running tasks. */
export interface Folds {
  /** Rejects with the failure that ended a task; resolves only after `stop`. */
  readonly done: Promise<void>
  /** True if the tasks here have folded and committed all current input. */
  readonly isCaughtUp: boolean
  /** Resolves once the tasks here have folded and committed everything that was on the log at some moment after the call. */
  caughtUp(): Promise<void>
  /** Current waits at the barrier, by partition. */
  waits(): readonly BarrierWait[]
  /** Partitions for which this process stands by. */
  standbys(): Standbys
  /**
   * Decodes the retained raw frames again, and corrects tape, stores and outputs accordingly; the tasks pause meanwhile.
   * Undefined if it was stopped. @throws EngineError `stores_busy`
   */
  redrive(stop: AbortSignal): Promise<Redriven | undefined>
  /** Lets every task commit what it has folded, then gives up its partition. */
  stop(): Promise<void>
}

/** Options of the tasks. */
export interface RunOptions {
  readonly assignment?: Assignment
  /** Staging stores for rebuilds, one set per chain. */
  readonly staging?: (chain: ChainNames) => StagingStores
  /** For rows that the tasks evict; in memory by default. */
  readonly pages?: PageStore
  /** Name of this process, shown to processes that wait for its rebuild. */
  readonly by?: string
  /** See `StoresOptions`. */
  readonly isPromoted?: boolean
  /** Stops a rebuild at startup: the tasks are then not started. */
  readonly stop?: AbortSignal
  /** Receives the progress of a chain's rebuild; null when there is none any more. */
  readonly rebuilding?: (progress: RebuildProgress | null, chain: Chain) => void
  /** Reports to operators: skipped input, and stores that are rebuilt for a task that could not continue. */
  readonly notice?: Notice
  /** Other tasks that are assigned with the same partitions. */
  readonly otherTasks?: readonly TaskSpec[]
  /** Where the folds run: partition `p` in entry `p` modulo the number of entries. Null is this thread, the only entry by default. */
  readonly workers?: readonly (FoldWorker | null)[]
  /** If this thread and others fold: its connection to them. */
  readonly peers?: Peers
  /** Where rebuilds fold; by default in this thread. */
  readonly rebuildThreads?: FoldThreads | undefined
  /** Called at each change of the assignment, with the names of the tasks assigned here and their partitions. */
  readonly assigned?: (assignedHere: readonly string[], partitions: ReadonlySet<string>) => void
}

/** All partitions that assign tasks of these chains. */
export const taskPartitionsOf = (log: Pick<Log, 'partitions'>, topologies: readonly Topology[]): readonly string[] =>
  topologies.flatMap((topology) => {
    const { tape } = inputsOf(topology)
    return [chainPartitionOf(topology), ...Array.from({ length: log.partitions(tape) }, (_, partition) => `${tape.name}/${partition}`)]
  })

/** The limits of one task: `shared` are those of all tasks of the process together. */
export const limitsOfTask = (log: Pick<Log, 'partitions'>, topologies: readonly Topology[], shared: EngineLimits): EngineLimits => ({
  ...shared,
  undoBytesMax: shared.undoBytesMax / taskPartitionsOf(log, topologies).length,
})

const POLL_MS = 2

/**
 * Restores the tasks of these chains that are assigned here, from stores of their own versions, then starts them. Rejects if one cannot be
 * restored. `shared`: limits for all tasks together.
 */
export const startFolds = async (
  log: Log,
  topologies: readonly Topology[],
  shared: EngineLimits = DEFAULT_LIMITS,
  options: RunOptions = {},
): Promise<Folds> => {
  const { assignment = everything(), otherTasks = [], assigned = () => {}, workers = [null], peers, pages = IN_MEMORY } = options
  const limits = limitsOfTask(log, topologies, shared)
  const slice = new TimeSlice(limits.sliceMs)
  const local = new LocalFolds(topologies, { log, limits, slice, peers, messages: log.messages, pages })
  peers?.listen((chain, delivery) => local.receive(chain, delivery))
  const foldsOf = (partition: number): FoldTasks => workers[partition % workers.length] ?? local
  const chains = topologies.map((topology) => tasksOf({ log, limits, topology, slice, foldsOf }, options, assignment.settleMs))
  const tasks = chains.flatMap((chain) => chain.tasks)
  const manager = new TaskManager([...tasks, ...otherTasks], assignment.settleMs, () => assignment.isKnown)
  for (const { stores, stop } of chains) await stores.enter(stop)
  const take: Assigned = (assignedHere, standbys) => {
    const names = [...otherTasks, ...tasks].filter(({ topicPartition }) => assignedHere.has(topicPartition)).map(({ name }) => name)
    assigned(names, assignedHere)
    return manager.setAssigned(assignedHere, standbys)
  }
  // Before the tasks begin: one may request a rebuild while others still restore their rows.
  const unwatch = chains.map((chain) => restartWhenDue(log, chain, () => manager.restart(chain.tasks)))
  const unwatchAll = (): void => {
    for (const end of unwatch) end()
  }
  await assignment
    .start(taskPartitionsOf(log, topologies), take, () => manager.warm)
    .catch((failure: unknown) => {
      unwatchAll()
      throw failure
    })
  const others = workers.filter((worker) => worker !== null)
  const done = Promise.race([manager.done, assignment.done.then(() => manager.done), ...others.map(({ broken }) => broken)])
  done.catch(() => {})
  return {
    done,
    get isCaughtUp() {
      return manager.areCaughtUp(tasks)
    },
    caughtUp: async () => {
      // Twice, because the decoder's last commit is input of the folds.
      for (let quiet = 0; quiet < 2; ) {
        await Promise.race([pause(POLL_MS), done])
        if (manager.areCaughtUp(tasks)) await Promise.race([Promise.all(others.map((worker) => worker.refresh())), done])
        quiet = manager.areCaughtUp(tasks) ? quiet + 1 : 0
      }
    },
    standbys: () => manager.standbys,
    waits: () => waitsOf([local, ...others].flatMap(({ waits }) => waits)),
    redrive: (stop) =>
      redriveAll(chains, async ({ stores }) => {
        return stores.redriven(await stores.request(), stop)
      }),
    stop: async () => {
      unwatchAll()
      try {
        await manager.stop()
      } finally {
        await assignment.stop()
      }
      await done
    },
  }
}

/** The tasks of one chain. */
interface ChainTasks {
  readonly topology: Topology
  readonly stores: Stores
  readonly stop: AbortSignal
  readonly tasks: readonly TaskSpec[]
}

const tasksOf = (made: Omit<Made, 'notice'>, run: RunOptions, leaseMs: number): ChainTasks => {
  const { log, limits, topology } = made
  const { stop = new AbortController().signal, by = '', notice = () => {}, pages = IN_MEMORY } = run
  const { chain } = topology
  const staging = run.staging?.(chain) ?? memoryStaging()
  const steps = new Steps()
  const progress = (at: RebuildProgress | null): void => {
    steps.count++
    run.rebuilding?.(at, chain.name)
  }
  const { isPromoted } = run
  const making = { topology, limits, stop, progress, by, notice, leaseMs, pages, foldThreads: run.rebuildThreads, isPromoted }
  const stores = new Stores({ ...making, log: steps.log(log), staging: steps.staging(staging) })
  const waiting = new Stores({ ...making, log, staging })
  const prepared = (): number => steps.count + (log.tries?.() ?? 0)
  const tasks = [decodePart({ ...made, notice }, stores, prepared), ...foldParts(made, waiting)]
  return { topology, stores, stop, tasks }
}

/** Restarts a chain's tasks when any process requests a redrive: the process that runs the chain's decoder does it, the others wait. */
const restartWhenDue = (log: Log, { topology, stores }: ChainTasks, again: () => Promise<void>): (() => void) => {
  let looking = Promise.resolve()
  return log.onCommit((topics) => {
    if (!topics.has(topology.operations.rebuild.writes.stores.name)) return
    // A failure here recurs in the tasks, which report it.
    looking = looking.then(async () => void ((await stores.isDue()) && (await again()))).catch(() => {})
  })
}

/** The tasks for which tasks here wait, by partition, each with its longest wait. */
const waitsOf = (waits: readonly Waits[]): readonly BarrierWait[] => {
  const longest = new Map<number, number>()
  for (const { writers, ms } of waits) for (const writer of writers) longest.set(writer, Math.max(ms, longest.get(writer) ?? 0))
  return [...longest].sort(([a], [b]) => a - b).map(([writer, ms]) => ({ writer, seconds: ms / 1_000 }))
}
