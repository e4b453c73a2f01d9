// The fold tasks of this thread. Tasks of a chain deliver facts to each other ahead of the log: directly within the thread, by messages to
// other threads and processes. A delivery whose sender folds with another revision of the stores is dropped: that sender is about to be
// fenced.
import type { TapeHeader } from '../../processors/tape.ts'
import { assert } from '../../schemas/errors.ts'
import type { ChainEvent } from '../../schemas/record-forms.ts'
import type { Chain } from '../../schemas/types.ts'
import { ChangelogReads } from '../engine/changelog/changelog-reads.ts'
import { Standby } from '../engine/changelog/standby.ts'
import type { Waits } from '../engine/definition.ts'
import { EarlyFacts } from '../engine/exchange/early-facts.ts'
import { ExchangeReader, membersOf } from '../engine/exchange/exchange-reader.ts'
import type { Batch, Closing, ExchangeRecord } from '../engine/exchange/exchange-record.ts'
import { Members } from '../engine/exchange/members.ts'
import { type EngineLimits, readLimitsOf } from '../engine/limits.ts'
import { TaskPages } from '../engine/rows/task-pages.ts'
import { TaskRunner } from '../engine/runner.ts'
import { Task } from '../engine/task.ts'
import type { TimeSlice } from '../engine/time-slice.ts'
import type { PageStore } from '../ports/keyed-pages.ts'
import type { Log, Messages } from '../ports/log.ts'
import { inputsOf, type Topology } from '../topology.ts'
import type { FoldTasks, RunningTask } from './task-spec.ts'

/** The other threads of the process that fold. */
export interface Peers {
  /** Number of running tasks of a chain in all threads, by partition: shared memory. */
  counts(chain: Chain): Int32Array
  /** Delivers a batch to the task of a partition; no effect if its thread is this one. */
  send(chain: Chain, delivery: Delivery): void
  /** Call it once: `receive` gets what the other threads send to tasks of this one. */
  listen(receive: (chain: Chain, delivery: Delivery) => void): void
}

/** A batch, and the task that receives it. */
export interface Delivery {
  readonly batch: Batch
  readonly to: number
  /** Revision of the stores with which the sender folds. */
  readonly revision: number
}

interface LocalParts {
  readonly log: Log
  /** Limits of one task. */
  readonly limits: EngineLimits
  /** Shared by all tasks of this thread. */
  readonly slice: TimeSlice
  /** Absent: all tasks of the process run in this thread. */
  readonly peers?: Peers | undefined
  /** Absent: no other process folds with these stores. */
  readonly messages?: Messages | undefined
  /** For rows that the tasks evict; closed with each task. */
  readonly pages: PageStore
  /** The tasks of a chain with so many partitions; by default those of its topology. */
  readonly definitionOf?: ((topology: Topology, partitions: number) => Definition) | undefined
}

type Definition = Omit<ReturnType<Topology['folds']>, 'bases'>

export class LocalFolds implements FoldTasks {
  readonly #chains: ReadonlyMap<Chain, ChainFolds>

  constructor(topologies: readonly Topology[], parts: LocalParts) {
    this.#chains = new Map(topologies.map((topology) => [topology.chain.name, new ChainFolds(topology, parts)]))
  }
  create(chain: Chain, partition: number, revision: () => number): RunningTask {
    return this.#of(chain).create(partition, revision)
  }
  /** Receives from another thread. */
  receive(chain: Chain, delivery: Delivery): void {
    this.#of(chain).receive(delivery)
  }
  get waits(): readonly Waits[] {
    return [...this.#chains.values()].flatMap(({ waits }) => waits)
  }
  #of(chain: Chain): ChainFolds {
    const folds = this.#chains.get(chain)
    assert(folds !== undefined, `${chain} is a chain of this thread`)
    return folds
  }
}

interface Running {
  readonly runner: TaskRunner<ChainEvent, TapeHeader>
  readonly revision: number
}

class ChainFolds {
  readonly #chain: Chain
  readonly #parts: LocalParts
  readonly #definition: Definition
  readonly #members: Members
  readonly #reader: ExchangeReader
  readonly #early: EarlyFacts | undefined
  /** By partition. */
  readonly #running: (Running | undefined)[] = []

  constructor(topology: Topology, parts: LocalParts) {
    const { log, limits, peers, messages, definitionOf = ({ folds }, partitions) => folds(partitions) } = parts
    const { name } = topology.chain
    this.#chain = name
    this.#parts = parts
    this.#definition = definitionOf(topology, log.partitions(inputsOf(topology).tape))
    const { exchange: definition } = this.#definition
    this.#members = peers === undefined ? membersOf(definition) : new Members(peers.counts(name))
    this.#reader = new ExchangeReader(log, definition, limits, this.#members, messages !== undefined)
    const isHere = (partition: number): boolean => this.#members.has(partition)
    const hear = (record: ExchangeRecord, revision: number): void => this.#hear(record, revision)
    this.#early = messages && new EarlyFacts({ messages, definition, isHere, hear })
  }
  get waits(): readonly Waits[] {
    return this.#running.flatMap((one) => one?.runner.waits ?? [])
  }
  receive({ batch, to, revision }: Delivery): void {
    const there = this.#running[to]
    if (there?.revision === revision) there.runner.offer(batch)
  }
  create(partition: number, revisionNow: () => number): RunningTask {
    const { log, limits, slice, peers, pages } = this.#parts
    const kept = new TaskPages(pages)
    const running = this.#running
    let revision = -1
    const handOver = (batch: Batch, to: number): void => {
      this.receive({ batch, to, revision })
      peers?.send(this.#chain, { batch, to, revision })
    }
    const tell = (closing: Closing): void => {
      if (!this.#members.isWhole) this.#early?.tell(closing, partition, revision)
    }
    const task = new Task(this.#definition, partition, limits, { handOver, tell }, kept)
    const reads = new ChangelogReads(log, task, readLimitsOf(limits))
    const standby = new Standby(log, task, reads)
    const runner = new TaskRunner(log, task, limits, slice, this.#reader)
    let isRestored = false
    /** A task that fails before it runs is not used again. */
    const orClose = (beginning: Promise<void>): Promise<void> =>
      beginning.catch((failure: unknown) => {
        kept.close()
        throw failure
      })
    return {
      follow: (end) => orClose(standby.follow(end)),
      get isWarm() {
        return standby.isWarm
      },
      restore: async () => {
        revision = revisionNow()
        isRestored = true
        await orClose(runner.restore(reads))
      },
      run: async () => {
        if (!isRestored) return kept.close()
        const here = { runner, revision }
        running[partition] = here
        await runner.run().finally(() => {
          if (running[partition] === here) running[partition] = undefined
          kept.close()
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
  }

  #hear(record: ExchangeRecord, revision: number): void {
    for (const running of this.#running) if (running?.revision === revision) running.runner.hear(record)
  }
}
