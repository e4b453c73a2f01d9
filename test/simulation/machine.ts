// Shared by all simulated processes: one log, one clock, one scheduler that runs one operation at a time.
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log, TaskOwner } from '../../topology/ports/log.ts'
import { Dice } from './dice.ts'
import type { Faults } from './faults.ts'
import type { Invariants } from './invariants.ts'
import { VirtualTime } from './virtual-time.ts'

/** The owner of operations: they wait while it is paused and are dropped once it is dead. */
export interface Actor {
  readonly isAlive: boolean
  readonly isPaused: boolean
}
interface Op {
  readonly actor: Actor
  readonly run: () => void
}

/** Share of steps that advance time while other operations are ready. */
const TIMER_SHARE = 0.1
const WORLD: Actor = { isAlive: true, isPaused: false }

export class Machine {
  readonly log: Log
  readonly faults: Faults
  readonly invariants: Invariants
  readonly time: VirtualTime
  /** Distance between offsets, as on a broker that writes control markers between records. */
  readonly spread: number
  readonly #dice: Dice
  readonly #epochs = new Map<string, number>()
  readonly #onCommit = new Set<(names: ReadonlyMap<string, number>) => void>()
  #ops: Op[] = []

  constructor(seed: number, partitions: number, faults: Faults, invariants: Invariants) {
    this.log = createMemoryLog({ partitions, tombstoneRecordsKept: 20 })
    this.faults = faults
    this.invariants = invariants
    this.#dice = new Dice(seed, 'schedule')
    this.spread = this.#dice.int(1, 2)
    this.time = new VirtualTime((run) => this.op(WORLD, run))
  }
  /** Schedules `run` for a random step, not before `delayMs` from now. */
  op(actor: Actor, run: () => void, delayMs = 0): void {
    if (delayMs > 0) this.time.after(delayMs, () => this.#ops.push({ actor, run }))
    else this.#ops.push({ actor, run })
  }
  /** Runs one operation; false if none is left. */
  step(): boolean {
    const op = this.#ready()
    if (this.time.hasTimers && (op === undefined || this.#dice.share() < TIMER_SHARE)) this.time.fireNext()
    else if (op === undefined) return false
    else {
      this.#ops.splice(this.#ops.indexOf(op), 1)
      op.run()
    }
    return true
  }
  /** The first ready operation, from a random index on. */
  #ready(): Op | undefined {
    this.#ops = this.#ops.some(({ actor }) => !actor.isAlive) ? this.#ops.filter(({ actor }) => actor.isAlive) : this.#ops
    const from = this.#dice.int(0, Math.max(0, this.#ops.length - 1))
    for (let i = 0; i < this.#ops.length; i++) {
      const op = this.#ops[(from + i) % this.#ops.length]
      if (op?.actor.isPaused === false) return op
    }
    return undefined
  }
  get dice(): Dice {
    return this.#dice
  }
  /** Called after each commit with the new end of each `topic/partition` that it appended to. */
  onCommit(listener: (ends: ReadonlyMap<string, number>) => void): void {
    this.#onCommit.add(listener)
  }
  /** Takes over an id at once. */
  async own(id: string): Promise<TaskOwner> {
    const epoch = (this.#epochs.get(id) ?? 0) + 1
    this.#epochs.set(id, epoch)
    const owner = await this.log.own(id)
    const isNewest = (): boolean => this.#epochs.get(id) === epoch
    return {
      id,
      committed: () => owner.committed(),
      commit: async (commit) => {
        const wasNewest = isNewest()
        const before = owner.committed()
        await owner.commit(commit)
        this.invariants.committed(id, wasNewest, before, commit)
        const ends = new Map(
          commit.outputs.map(({ topic, partition }) => [`${topic.name}/${partition}`, this.log.end(topic, partition)] as const),
        )
        for (const listener of this.#onCommit) listener(ends)
      },
      release: () => owner.release(),
    }
  }
}
