// Runs the tasks of the topology over a log in this process: all of them, or those that an assignment gives it.
import type { TapeHeader } from '../../processors/tape.ts'
import type { ChainEvent } from '../../schemas/record-forms.ts'
import { type ChainNames, ownName } from '../../schemas/topics.ts'
import type { Chain } from '../../schemas/types.ts'
import { ExchangeReader } from '../engine/exchange/exchange-reader.ts'
import { DEFAULT_LIMITS, type EngineLimits } from '../engine/limits.ts'
import { TaskRunner } from '../engine/runner.ts'
import { Slice } from '../engine/slice.ts'
import { Task } from '../engine/task.ts'
import { type Assignment, everything } from '../ports/assignment.ts'
import type { Log } from '../ports/log.ts'
import type { Notice } from '../ports/notice.ts'
import { inputsOf, type Topology } from '../topology.ts'
import type { RebuildProgress } from '../versions/rebuild/rebuild.ts'
import { memoryScratches, type Scratches } from '../versions/rebuild/scratches.ts'
import { redriveAll } from '../versions/redrive-all.ts'
import { Steps } from '../versions/steps.ts'
import { type Redriven, Stores } from '../versions/stores.ts'
import { pause } from '../waiting/waiting.ts'
import { AfterFirst } from './after-first.ts'
import { MendedWork } from './mended-work.ts'
import { pastExpired } from './past-expired.ts'
import { PreparedWork } from './prepared-work.ts'
import type { Part, Work } from './work.ts'
import { Workers } from './workers.ts'

/** A task, of this process or another, that tasks here wait for. */
export interface BarrierWait {
  /** Its partition. */
  readonly writer: number
  /** The longest of these waits. */
  readonly seconds: number
}

/** Tasks at work. */
export interface Folds {
  /** Rejects with what ended a task; never resolves before `stop`. */
  readonly done: Promise<void>
  /** True when the tasks here have folded and committed what there is now. */
  readonly isCaughtUp: boolean
  /** Resolves when everything on the log at some moment after the call is folded and committed by the tasks here. */
  caughtUp(): Promise<void>
  /** Who is waited for now, by partition. */
  waits(): readonly BarrierWait[]
  /**
   * Decodes the raw frames that are kept again, and makes tape, stores and outputs what they would have been; the tasks rest meanwhile.
   * Undefined when it was stopped. @throws EngineError `stores_busy`
   */
  redrive(stop: AbortSignal): Promise<Redriven | undefined>
  /** Lets every task commit what it has folded, then gives its place up. */
  stop(): Promise<void>
}

/** Who does what. */
export interface Staff {
  readonly assignment?: Assignment
  /** Where stores of another version are rebuilt, for each chain apart. */
  readonly scratches?: (chain: ChainNames) => Scratches
  /** This process, for those who wait for a rebuild here. */
  readonly by?: string
  /** Ends a rebuild at the start: the tasks then do not begin. */
  readonly stop?: AbortSignal
  /** Told of how far the rebuild of a chain is; null when there is none any more. */
  readonly rebuilding?: (progress: RebuildProgress | null, chain: Chain) => void
  /** Told what operators should know: input that was passed over, stores that are rebuilt for a task that could not go on. */
  readonly notice?: Notice
  /** Work that goes with the places of tasks. */
  readonly beside?: readonly Part[]
  /** Told of each change: names of the parts that are here, and their places. */
  readonly assigned?: (mine: readonly string[], places: ReadonlySet<string>) => void
}

/** The place of a part that is done once for a chain. */
export const chainPlaceOf = (topology: Topology): string => `${inputsOf(topology).raw.name}/0`

/** All places of these chains. */
export const placesOf = (log: Pick<Log, 'partitions'>, topologies: readonly Topology[]): readonly string[] =>
  topologies.flatMap((topology) => {
    const { tape } = inputsOf(topology)
    return [chainPlaceOf(topology), ...Array.from({ length: log.partitions(tape) }, (_, partition) => `${tape.name}/${partition}`)]
  })

const POLL_MS = 2

/**
 * Restores the tasks of these chains that are here, from stores of their own versions, then starts them. Rejects when one cannot be
 * restored. `shared`: among all tasks.
 */
export const startFolds = async (
  log: Log,
  topologies: readonly Topology[],
  shared: EngineLimits = DEFAULT_LIMITS,
  staff: Staff = {},
): Promise<Folds> => {
  const { assignment = everything(), beside = [], assigned = () => {} } = staff
  const limits = { ...shared, undoBytesMax: shared.undoBytesMax / placesOf(log, topologies).length }
  const slice = new Slice(limits.sliceMs)
  const chains = topologies.map((topology) => chainWork(log, topology, limits, slice, staff, assignment.settleMs))
  const tasks = chains.flatMap((chain) => chain.tasks)
  const workers = new Workers([...tasks, ...beside], assignment.settleMs, () => assignment.isHeard)
  for (const { stores, stop } of chains) await stores.enter(stop)
  await assignment.start(placesOf(log, topologies), (mine) => {
    const names = [...beside, ...tasks].filter(({ place }) => mine.has(place)).map(({ name }) => name)
    assigned(names, mine)
    return workers.setMine(mine)
  })
  const done = Promise.race([workers.done, assignment.done.then(() => workers.done)])
  done.catch(() => {})
  const unwatch = chains.map((chain) => restartWhenDue(log, chain, () => workers.again(chain.tasks)))
  return {
    done,
    get isCaughtUp() {
      return workers.areCaughtUp(tasks)
    },
    caughtUp: async () => {
      // Twice: what the decoder commits last is input of the folds.
      for (let quiet = 0; quiet < 2; ) {
        const still = Promise.race([pause(POLL_MS), done])
        await still
        quiet = workers.areCaughtUp(tasks) ? quiet + 1 : 0
      }
    },
    waits: () => waitsOf(chains.flatMap(({ here }) => here)),
    redrive: (stop) =>
      redriveAll(chains, async ({ stores }) => {
        return stores.redriven(await stores.request(), stop)
      }),
    stop: async () => {
      for (const end of unwatch) end()
      try {
        await workers.stop()
      } finally {
        await assignment.stop()
      }
      await done
    },
  }
}

/** The work of one chain. */
interface ChainWork {
  readonly topology: Topology
  readonly stores: Stores
  readonly stop: AbortSignal
  readonly tasks: readonly Part[]
  /** By partition: those that are restored here. */
  readonly here: readonly FoldRunner[]
}

const chainWork = (log: Log, topology: Topology, limits: EngineLimits, slice: Slice, staff: Staff, leaseMs: number): ChainWork => {
  const { stop = new AbortController().signal, by = '', notice = () => {} } = staff
  const { chain } = topology
  const scratches = staff.scratches?.(chain) ?? memoryScratches()
  const steps = new Steps()
  const progress = (at: RebuildProgress | null): void => {
    steps.count++
    staff.rebuilding?.(at, chain.name)
  }
  const making = { topology, limits, stop, progress, by, notice, leaseMs }
  const stores = new Stores({ ...making, log: steps.log(log), scratches: steps.scratches(scratches) })
  const waiting = new Stores({ ...making, log, scratches })
  const made: Made = { log, limits, topology, slice, notice }
  const here: FoldRunner[] = []
  const tasks = [decodePart(made, stores, () => steps.count + (log.tries?.() ?? 0)), ...foldParts(made, waiting, here)]
  return { topology, stores, stop, tasks, here }
}

/** Begins the tasks again when somebody asks for a redrive, wherever that is: who has the chain's place does it, the others wait. */
const restartWhenDue = (log: Log, { topology, stores }: ChainWork, again: () => Promise<void>): (() => void) => {
  let looking = Promise.resolve()
  return log.onCommit((topics) => {
    if (!topics.has(topology.operations.rebuild.writes.stores.name)) return
    // What goes wrong ends the tasks, and they say so.
    looking = looking.then(async () => void ((await stores.isDue()) && (await again()))).catch(() => {})
  })
}

/** What every task is made of. */
interface Made {
  readonly log: Log
  readonly limits: EngineLimits
  readonly topology: Topology
  readonly slice: Slice
  readonly notice: Notice
}

/** The decoder of a chain. Before it works, it makes the chain's stores those of this program. */
const decodePart = ({ log, limits, topology, slice, notice }: Made, stores: Stores, prepared: () => number): Part => ({
  name: ownName(topology.chain, 'decode'),
  place: chainPlaceOf(topology),
  create: () => {
    const task = new Task(topology.decode(log.partitions(inputsOf(topology).tape)), 0, limits)
    const { input } = task.definition
    // The next frame tells what it does not follow, and so the gap.
    const kept = pastExpired(log, input, (topic, from, to) => notice('input_expired', { task: task.id, topic, from, to }))
    const work = new AfterFirst(log, input, new TaskRunner(kept, task, limits, slice))
    const mended = new MendedWork(work, (failure, stopping) => stores.mend(failure, true, stopping))
    return new PreparedWork(mended, (stopping) => stores.prepare(stopping), prepared)
  },
})

/**
 * A wait for the stores gets on as long as whoever makes them does: that one is watched, here or in another process. How long a rebuild
 * takes cannot be seen from here, so that a limit of the wait's own would end processes that are well.
 */
const ever = (): number => performance.now()

type FoldRunner = TaskRunner<ChainEvent, TapeHeader> | undefined

/** Who is waited for by runners, by partition. */
const waitsOf = (runners: readonly FoldRunner[]): readonly BarrierWait[] => {
  const longest = new Map<number, number>()
  for (const runner of runners) {
    const { writers, ms } = runner?.waits ?? { writers: [], ms: 0 }
    for (const writer of writers) longest.set(writer, Math.max(ms, longest.get(writer) ?? 0))
  }
  return [...longest].sort(([a], [b]) => a - b).map(([writer, ms]) => ({ writer, seconds: ms / 1_000 }))
}

/** The tasks of a chain, one a partition. Those of this process, which are `here` once they are restored, hand each other what they say. */
const foldParts = ({ log, limits, topology, slice }: Made, stores: Stores, here: FoldRunner[]): Part[] => {
  const { tape } = inputsOf(topology)
  const length = log.partitions(tape)
  const { exchange } = topology.folds(length)
  const reader = exchange && new ExchangeReader(log, exchange, limits)
  return Array.from({ length }, (_, partition) => ({
    name: ownName(topology.chain, String(partition)),
    place: `${tape.name}/${partition}`,
    create: (): Work => {
      const task = new Task(topology.folds(length), partition, limits, (batch, to) => here[to]?.offer(batch))
      const runner = new TaskRunner(log, task, limits, slice, reader)
      const work: Work = {
        restore: () => runner.restore(),
        run: async () => {
          here[partition] = runner
          await runner.run().finally(() => {
            if (here[partition] === runner) here[partition] = undefined
          })
        },
        stop: () => runner.stop(),
        get isCaughtUp() {
          return runner.isCaughtUp
        },
        get progress() {
          return runner.progress
        },
        get steps() {
          return runner.steps
        },
      }
      const mended = new MendedWork(work, (failure, stopping) => stores.mend(failure, false, stopping))
      return new PreparedWork(mended, (stopping) => stores.whole(stopping), ever)
    },
  }))
}
