// Where a view is in each partition, and whether tombstones before that may have been dropped unread.
import type { Topic } from '../../schemas/topics.ts'
import type { Log } from '../ports/log.ts'

const nameOf = ({ name }: Topic, partition: number): string => `${name}/${partition}`

export class Offsets {
  /** Next offset to read, by `topic/partition`. */
  readonly next = new Map<string, number>()
  /** The floor of tombstones when a partition was begun: what was dropped before that was never seen alive. */
  readonly #begun = new Map<string, number>()

  /** Where to go on; the first record kept where nothing was read yet. */
  begin(log: Log, topic: Topic, partition: number): number {
    const name = nameOf(topic, partition)
    if (!this.#begun.has(name)) this.#begun.set(name, log.tombstoneFloor(topic, partition))
    return this.next.get(name) ?? log.start(topic, partition)
  }
  /** Ask it after a read from `offset`: true where that may have missed a tombstone. */
  isBehind(log: Log, topic: Topic, partition: number, offset: number): boolean {
    return log.tombstoneFloor(topic, partition) > Math.max(offset, this.#begun.get(nameOf(topic, partition)) ?? 0)
  }
  /** All partitions are read from their start again. */
  forget({ name }: Topic): void {
    for (const key of [...this.next.keys(), ...this.#begun.keys()]) {
      if (!key.startsWith(`${name}/`)) continue
      this.next.delete(key)
      this.#begun.delete(key)
    }
  }
}
