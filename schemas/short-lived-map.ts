// A map for short-lived entries.

/** The map is rebuilt after this many deletes more than it has entries: the copy is then a small part of the work. */
const DELETES_MIN = 64

/**
 * A `Map` that does not retain deleted entries. V8 moves a map's entries to a new table every few deletes. The tables of a long-lived map
 * are in old space: an entry that was ever in one stays alive, with all that it references, until the next full collection. (With five
 * objects in a long-lived set, one added and one deleted each time: 7 ms per scavenge instead of 0.1, Node 20.) This map is rebuilt early:
 * when it is empty, and after about as many deletes as it has entries.
 */
export class ShortLivedMap<Key, Value> {
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
  /** In insertion order of their keys. */
  values(): IterableIterator<Value> {
    return this.#map.values()
  }
  #renew(entries: Iterable<readonly [Key, Value]>): void {
    this.#map = new Map(entries)
    this.#deletes = 0
  }
}
