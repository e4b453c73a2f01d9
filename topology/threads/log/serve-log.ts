// Serves a log to another thread over a port.
import type { MessagePort } from 'node:worker_threads'
import { expose, transfer } from 'comlink'
import { assert } from '../../../schemas/errors.ts'
import type { Topic } from '../../../schemas/topics.ts'
import type { Log, TaskOwner } from '../../ports/log.ts'
import { passFailures } from '../failures.ts'
import { memoryOf, pack, unpack } from './packed.ts'
import type { BoundsByTopic, LogHost, NewEnds, PartitionBounds } from './wire.ts'

/** Serves until the returned function is called; the log stays open. */
export const serveLog = (log: Log, port: MessagePort, topics: readonly Topic[]): (() => void) => {
  passFailures()
  const owners = new Map<number, TaskOwner>()
  let owned = 0
  const bounds = (wanted: readonly Topic[] = topics): BoundsByTopic => new Map(wanted.map((topic) => [topic.name, boundsOf(log, topic)]))
  const topicAt = (number: number): Topic => {
    const topic = topics[number]
    assert(topic !== undefined, `${number} is the place of a topic`)
    return topic
  }
  const host: LogHost = {
    read: async (topic, partition, offset, limits) => {
      const records = await log.read(topicAt(topic), partition, offset, limits)
      const packed = pack(records, ({ offset }) => [offset, 0])
      const faults = new Map(records.flatMap(({ offset, fault }) => (fault === undefined ? [] : [[offset, fault] as const])))
      return transfer({ ...packed, faults }, memoryOf(packed))
    },
    refresh: async () => {
      await log.refresh()
      return bounds()
    },
    own: async (id) => {
      const owner = await log.own(id)
      const number = owned++
      owners.set(number, owner)
      return { number, committed: owner.committed(), bounds: bounds() }
    },
    peek: async (id) => (await log.peek?.(id)) ?? new Map(),
    release: async (number) => {
      const owner = owners.get(number)
      owners.delete(number)
      await owner?.release()
    },
    decidedEnd: (topic, partition) => log.decidedEnd(topicAt(topic), partition),
    commit: async (number, outputs, inputs) => {
      const owner = owners.get(number)
      assert(owner !== undefined, `${number} is the number of an owner`)
      const records = unpack(outputs, (topic, partition, key, value) => ({ topic: topicAt(topic), partition, key, value }))
      await owner.commit({ outputs: records, inputs })
      return owner.committed()
    },
    trim: async (number, partition, offset) => {
      const topic = topicAt(number)
      await log.trim(topic, partition, offset)
      return bounds([topic])
    },
  }
  const unsubscribe = log.onCommit((names) => {
    const message: NewEnds = { newEnds: bounds(topics.filter(({ name }) => names.has(name))) }
    port.postMessage(message)
  })
  expose(host, port)
  return () => {
    unsubscribe()
    port.close()
  }
}

const boundsOf = (log: Log, topic: Topic): PartitionBounds => {
  const partitions = Array.from({ length: log.partitions(topic) }, (_, partition) => partition)
  return {
    starts: partitions.map((partition) => log.start(topic, partition)),
    ends: partitions.map((partition) => log.end(topic, partition)),
    floors: partitions.map((partition) => log.tombstoneFloor(topic, partition)),
  }
}
