// Next offsets of a view, and detection of tombstones that may have been dropped before the view read them.
import type { Topic } from '../../schemas/topics.ts'
import type { Log } from '../ports/log.ts'

const nameOf = ({ name }: Topic, partition: number): string => `${name}/${partition}`

export class Offsets {
  /** Next offset to read, by `topic/partition`. */
  readonly next = new Map<string, number>()
  /** The floor of tombstones when reading of a partition began: a key dropped before that was never seen. */
  readonly #begun = new Map<string, number>()

  /** Next offset to read; the first retained one if nothing was read yet. */
  begin(log: Log, topic: Topic, partition: number): number {
    const name = nameOf(topic, partition)
    if (!this.#begun.has(name)) this.#begun.set(name, log.tombstoneFloor(topic, partition))
    return this.next.get(name) ?? log.start(topic, partition)
  }
  /** Call it after a read from `offset`: true if that read may have missed a tombstone. */
  isBehind(log: Log, topic: Topic, partition: number, offset: number): boolean {
    return log.tombstoneFloor(topic, partition) > Math.max(offset, this.#begun.get(nameOf(topic, partition)) ?? 0)
  }
  /** Reads all partitions of the topic from their start again. */
  forget({ name }: Topic): void {
    for (const key of [...this.next.keys(), ...this.#begun.keys()]) {
      if (!key.startsWith(`${name}/`)) continue
      this.next.delete(key)
      this.#begun.delete(key)
    }
  }
}
