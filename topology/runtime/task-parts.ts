// The tasks of a chain: its decoder, and one fold per partition, each with what has to be done before it may run.
import { ownName } from '../../schemas/topics.ts'
import type { EngineLimits } from '../engine/limits.ts'
import { TaskRunner } from '../engine/runner.ts'
import { Task } from '../engine/task.ts'
import type { TimeSlice } from '../engine/time-slice.ts'
import type { Log } from '../ports/log.ts'
import type { Notice } from '../ports/notice.ts'
import { inputsOf, type Topology } from '../topology.ts'
import type { Stores } from '../versions/stores.ts'
import { AfterFirst } from './after-first.ts'
import { pastExpired } from './past-expired.ts'
import { PreparedTask } from './prepared-task.ts'
import { RepairedTask } from './repaired-task.ts'
import type { FoldTasks, TaskSpec } from './task-spec.ts'

/** The process to which this partition is assigned also runs the tasks of which each chain has only one, such as its decoder. */
export const chainPartitionOf = (topology: Topology): string => `${inputsOf(topology).raw.name}/0`

/** Parts shared by all tasks. */
export interface Made {
  readonly log: Log
  readonly limits: EngineLimits
  readonly topology: Topology
  readonly slice: TimeSlice
  readonly notice: Notice
  foldsOf(partition: number): FoldTasks
}

/** The decoder of a chain. Before it starts, it migrates the chain's stores to this program's versions. */
export const decodePart = (
  { log, limits, topology, slice, notice }: Omit<Made, 'foldsOf'>,
  stores: Stores,
  prepared: () => number,
): TaskSpec => ({
  name: ownName(topology.chain, 'decode'),
  topicPartition: chainPartitionOf(topology),
  create: () => {
    const task = new Task(topology.decode(log.partitions(inputsOf(topology).tape)), 0, limits)
    const { input } = task.definition
    // Expired input may be skipped: the next frame names another parent than the last frame read, and so shows the gap.
    const kept = pastExpired(log, input, (topic, from, to) => notice('input_expired', { task: task.id, topic, from, to }))
    const work = new AfterFirst(log, input, new TaskRunner(kept, task, limits, slice))
    const repaired = new RepairedTask(work, (failure, stopping) => stores.repair(failure, true, stopping))
    return new PreparedTask(repaired, (stopping) => stores.prepare(stopping), prepared)
  },
})

/**
 * Progress of a fold that waits for the stores: always another value, so that the watchdog never ends the wait. The process that rebuilds
 * the stores watches the rebuild. How long it takes is unknown here: a limit would end healthy processes.
 */
const ever = (): number => performance.now()

/** The tasks of a chain, one per partition. */
export const foldParts = ({ log, topology, foldsOf }: Omit<Made, 'notice'>, stores: Stores): TaskSpec[] => {
  const { tape } = inputsOf(topology)
  return Array.from({ length: log.partitions(tape) }, (_, partition) => ({
    name: ownName(topology.chain, String(partition)),
    topicPartition: `${tape.name}/${partition}`,
    create: () => {
      const work = foldsOf(partition).create(topology.chain.name, partition, () => stores.revision)
      const repaired = new RepairedTask(work, (failure, stopping) => stores.repair(failure, false, stopping))
      return new PreparedTask(repaired, (stopping) => stores.whole(stopping), ever)
    },
  }))
}
