// Runs the tasks of the topology over a log in this process: all of them, or those that an assignment gives it.
import type { TapeHeader } from '../processors/mint/mint.ts'
import { TOPICS, type Topic } from '../schemas/topics.ts'
import type { TapeEvent } from '../schemas/types.ts'
import { DEFAULT_LIMITS, type EngineLimits } from './engine/limits.ts'
import { TaskRunner } from './engine/runner.ts'
import { Slice } from './engine/slice.ts'
import { Task } from './engine/task.ts'
import { LAUNCH_RISK, type Wiring } from './launch-risk.ts'
import { type Assignment, everything } from './ports/assignment.ts'
import type { Log } from './ports/log.ts'
import { PreparedWork } from './versions/prepared-work.ts'
import type { RebuildProgress } from './versions/rebuild.ts'
import { memoryScratches, type Scratches } from './versions/scratches.ts'
import { type Redriven, Stores } from './versions/stores.ts'
import { type Part, type Work, Workers } from './workers.ts'

/** Tasks at work. */
export interface Folds {
  /** Rejects with what ended a task; never resolves before `stop`. */
  readonly done: Promise<void>
  /** True when the tasks here have folded and committed what there is now. */
  readonly isCaughtUp: boolean
  /** Resolves when everything on the log at some moment after the call is folded and committed by the tasks here. */
  caughtUp(): Promise<void>
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
  /** What the tasks are. */
  readonly wiring?: Wiring
  /** Where stores of another version are rebuilt. */
  readonly scratches?: Scratches
  /** This process, for those who wait for a rebuild here. */
  readonly by?: string
  /** Ends a rebuild at the start: the tasks then do not begin. */
  readonly stop?: AbortSignal
  /** Told of how far a rebuild is; null when there is none any more. */
  readonly rebuilding?: (progress: RebuildProgress | null) => void
  /** Work that goes with the places of tasks. */
  readonly beside?: readonly Part[]
  /** Told of each change: names of the parts that are here. */
  readonly assigned?: (mine: readonly string[]) => void
}

/** The place of a part that is done once for a chain. */
export const CHAIN_PLACE = `${TOPICS.rawSolana.name}/0`

const POLL_MS = 2

/** Restores the tasks that are here, from stores of their own versions, then starts them. Rejects when one cannot be restored. */
export const startFolds = async (log: Log, shared: EngineLimits = DEFAULT_LIMITS, staff: Staff = {}): Promise<Folds> => {
  const { assignment = everything(), beside = [], assigned = () => {}, wiring = LAUNCH_RISK } = staff
  const { scratches = memoryScratches(), rebuilding = () => {}, stop = new AbortController().signal, by = '' } = staff
  const partitions = log.partitions(TOPICS.tapeSolana)
  const limits = { ...shared, undoBytesMax: shared.undoBytesMax / (partitions + 1) }
  const stores = new Stores({ log, wiring, limits, scratches, stop, progress: rebuilding, by, leaseMs: assignment.settleMs })
  const slice = new Slice(limits.sliceMs)
  const tasks = [decodePart(log, limits, wiring, stores, slice), ...foldParts(log, limits, wiring, stores, slice)]
  const workers = new Workers([...tasks, ...beside], assignment.settleMs)
  const places = [CHAIN_PLACE, ...Array.from({ length: partitions }, (_, partition) => `${TOPICS.tapeSolana.name}/${partition}`)]
  await stores.enter(stop)
  await assignment.start(places, (mine) => {
    assigned([...beside, ...tasks].filter(({ place }) => mine.has(place)).map(({ name }) => name))
    return workers.setMine(mine)
  })
  const done = Promise.race([workers.done, assignment.done.then(() => workers.done)])
  done.catch(() => {})
  const unwatch = restartWhenDue(log, stores, () => workers.again(tasks))
  return {
    done,
    get isCaughtUp() {
      return workers.areCaughtUp(tasks)
    },
    caughtUp: async () => {
      // Twice: what the decoder commits last is input of the folds.
      for (let quiet = 0; quiet < 2; ) {
        const still = Promise.race([new Promise((resolve) => setTimeout(resolve, POLL_MS)), done])
        await still
        quiet = workers.areCaughtUp(tasks) ? quiet + 1 : 0
      }
    },
    redrive: async (stop) => stores.redriven(await stores.request(), stop),
    stop: async () => {
      unwatch()
      try {
        await workers.stop()
      } finally {
        await assignment.stop()
      }
      await done
    },
  }
}

/** Begins the tasks again when somebody asks for a redrive, wherever that is: who has the chain's place does it, the others wait. */
const restartWhenDue = (log: Log, stores: Stores, again: () => Promise<void>): (() => void) => {
  let looking = Promise.resolve()
  return log.onCommit((topics) => {
    if (!topics.has(TOPICS.stores.name)) return
    // What goes wrong ends the tasks, and they say so.
    looking = looking.then(async () => void ((await stores.isDue()) && (await again()))).catch(() => {})
  })
}

/** The decoder of a chain. Before it works, it makes the chain's stores those of this program. */
const decodePart = (log: Log, limits: EngineLimits, wiring: Wiring, stores: Stores, slice: Slice): Part => ({
  name: 'decode',
  place: CHAIN_PLACE,
  create: () => {
    const task = new Task(wiring.decode(log.partitions(TOPICS.tapeSolana)), 0, limits)
    const work = new AfterFirst(log, task.definition.input, new TaskRunner(log, task, limits, slice))
    return new PreparedWork(work, (stop) => stores.prepare(stop))
  },
})

/** The tasks of a chain, one a partition. Those of this process hand each other what they say, once they are restored. */
const foldParts = (log: Log, limits: EngineLimits, wiring: Wiring, stores: Stores, slice: Slice): Part[] => {
  const length = log.partitions(TOPICS.tapeSolana)
  const here: (TaskRunner<TapeEvent, TapeHeader> | undefined)[] = []
  return Array.from({ length }, (_, partition) => ({
    name: String(partition),
    place: `${TOPICS.tapeSolana.name}/${partition}`,
    create: (): Work => {
      const task = new Task(wiring.folds(length), partition, limits, (batch, to) => here[to]?.offer(batch))
      const runner = new TaskRunner(log, task, limits, slice)
      const work: Work = {
        restore: async () => {
          await runner.restore()
          here[partition] = runner
        },
        run: async () => {
          await runner.run().finally(() => {
            if (here[partition] === runner) here[partition] = undefined
          })
        },
        stop: () => runner.stop(),
        get isCaughtUp() {
          return runner.isCaughtUp
        },
      }
      return new PreparedWork(work, (stop) => stores.whole(stop))
    },
  }))
}

/**
 * Work that is taken over once its input has a first record: before that, a source may lay a history with the decoder's own rows, from
 * another process too.
 */
class AfterFirst implements Work {
  readonly #log: Log
  readonly #input: Topic
  readonly #work: Work
  #isRestored = false
  #isStopped = false
  #wake: () => void = () => {}

  constructor(log: Log, input: Topic, work: Work) {
    this.#log = log
    this.#input = input
    this.#work = work
  }
  async restore(): Promise<void> {
    if (this.#isEmpty()) return
    await this.#work.restore()
    this.#isRestored = true
  }
  async run(): Promise<void> {
    if (!this.#isRestored) {
      await this.#firstRecord()
      if (this.#isStopped) return
      await this.restore()
    }
    if (!this.#isStopped) await this.#work.run()
  }
  stop(): void {
    this.#isStopped = true
    this.#work.stop()
    this.#wake()
  }
  get isCaughtUp(): boolean {
    return this.#isRestored ? this.#work.isCaughtUp : this.#isEmpty()
  }

  #isEmpty(): boolean {
    return this.#log.end(this.#input, 0) === 0
  }
  async #firstRecord(): Promise<void> {
    const unsubscribe = this.#log.onCommit((topics) => {
      if (topics.has(this.#input.name)) this.#wake()
    })
    while (!this.#isStopped && this.#isEmpty())
      await new Promise<void>((resolve) => {
        this.#wake = resolve
        if (this.#isStopped || !this.#isEmpty()) resolve()
      })
    unsubscribe()
  }
}
