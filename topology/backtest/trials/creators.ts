// The record of creators at their launches, from launches and outcomes of the same run only.
import type { Key } from '../../../schemas/keys.ts'
import type { CreatorKind } from './trial.ts'

/** Remembered creators, those with the newest launches: about 30 MB. */
const CREATORS_MAX = 200_000

export class Creators {
  /** By creator: true if one of its launches rugged. The creator with the newest launch is last. */
  readonly #known = new Map<Key, boolean>()

  get state(): ReadonlyMap<Key, boolean> {
    return this.#known
  }
  restore(state: ReadonlyMap<Key, boolean>): void {
    for (const [creator, hasRugged] of state) this.#known.set(creator, hasRugged)
  }
  /** Records a launch; returns the creator's kind before it. */
  launched(creator: Key): CreatorKind {
    const hasRugged = this.#known.get(creator)
    this.#known.delete(creator)
    this.#known.set(creator, hasRugged ?? false)
    if (this.#known.size > CREATORS_MAX) this.#known.delete(this.#known.keys().next().value as Key)
    if (hasRugged === undefined) return 'first launch seen'
    return hasRugged ? 'rugged before' : 'launched before'
  }
  rugged(creator: Key): void {
    if (this.#known.has(creator)) this.#known.set(creator, true)
  }
}
