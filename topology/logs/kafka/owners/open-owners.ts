// The owners of one log with open connections: the newest of each id, and older ones until their work has ended.
import type { KafkaOwner } from './owner.ts'

export class OpenOwners {
  readonly #open = new Set<KafkaOwner>()

  /** All owners of an id except the newest are fenced and released. */
  add(owner: KafkaOwner): void {
    this.#open.add(owner)
    const ofId = [...this.#open].filter(({ id }) => id === owner.id)
    const newest = Math.max(...ofId.map(({ generation }) => generation))
    for (const older of ofId.filter(({ generation }) => generation < newest)) {
      older.replaced()
      this.release(older).catch(() => {})
    }
  }
  /** Resolves when its commits in flight have ended and its connections are closed. */
  async release(owner: KafkaOwner): Promise<void> {
    await owner.release()
    this.#open.delete(owner)
  }
  async close(): Promise<void> {
    await Promise.all([...this.#open].map((owner) => this.release(owner)))
  }
}
