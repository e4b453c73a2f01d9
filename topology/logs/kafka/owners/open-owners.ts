// The owners of one log that have connections open: the newest of each id, and those that still end what they began.
import type { KafkaOwner } from './owner.ts'

export class OpenOwners {
  readonly #open = new Set<KafkaOwner>()

  /** Of the owners of an id all but the newest are fenced, and let go of. */
  add(owner: KafkaOwner): void {
    this.#open.add(owner)
    const ofId = [...this.#open].filter(({ id }) => id === owner.id)
    const newest = Math.max(...ofId.map(({ generation }) => generation))
    for (const older of ofId.filter(({ generation }) => generation < newest)) {
      older.replaced()
      this.release(older).catch(() => {})
    }
  }
  /** Resolves when its commits under way have ended and its connections are closed. */
  async release(owner: KafkaOwner): Promise<void> {
    await owner.release()
    this.#open.delete(owner)
  }
  async close(): Promise<void> {
    await Promise.all([...this.#open].map((owner) => this.release(owner)))
  }
}
