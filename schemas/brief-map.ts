// A map whose entries come and go.

/** Deletes beyond as many as there are entries, before it is made anew: a copy is then a small part of the work. */
const DELETES_MIN = 64

/**
 * A `Map` that does not hold on to what has left it. V8 moves a map's entries to a new table every few deletes; the tables of a map that has
 * grown old lie in old space, so that everything that was ever moved lives until the next full collection, with all that it leads to.
 * (Of five objects in a long-lived set, one coming and one going: 7 ms a scavenge instead of 0.1, Node 20.)
 * This one is made anew before it grows old: when it is empty, and after about as many deletes as it has entries.
 */
export class BriefMap<Key, Value> {
  #map = new Map<Key, Value>()
  #deletes = 0

  get size(): number {
    return this.#map.size
  }
  get(key: Key): Value | undefined {
    return this.#map.get(key)
  }
  has(key: Key): boolean {
    return this.#map.has(key)
  }
  set(key: Key, value: Value): void {
    this.#map.set(key, value)
  }
  delete(key: Key): boolean {
    if (!this.#map.delete(key)) return false
    this.#deletes += 1
    if (this.#map.size === 0) this.clear()
    else if (this.#deletes >= this.#map.size + DELETES_MIN) this.#renew(this.#map)
    return true
  }
  clear(): void {
    this.#renew([])
  }
  /** In the order in which their keys came. */
  values(): IterableIterator<Value> {
    return this.#map.values()
  }
  #renew(entries: Iterable<readonly [Key, Value]>): void {
    this.#map = new Map(entries)
    this.#deletes = 0
  }
}
