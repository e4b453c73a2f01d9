// The owners of one log that have connections open: the newest of each id, and those that still end what they began.
import type { KafkaOwner } from './owner.ts'

export class OpenOwners {
  readonly #open = new Set<KafkaOwner>()

  /** Of two owners of an id the older is fenced, and let go of. */
  add(owner: KafkaOwner): void {
    const other = [...this.#open].find(({ id }) => id === owner.id)
    this.#open.add(owner)
    if (other === undefined) return
    const older = other.generation < owner.generation ? other : owner
    older.replaced()
    this.release(older).catch(() => {})
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
