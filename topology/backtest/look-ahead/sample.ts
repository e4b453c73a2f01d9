// A sample of calls that the same run always gives: those with the lowest hashes, so many at most.

/** Hashes are whole numbers below this. */
const HASHES = 2 ** 32

/** Mixes a number into a hash of 32 bits; every bit of both moves half of the result's. */
export const mixed = (hash: number, value: number): number => {
  let mix = hash ^ (value | 0) ^ Math.imul(Math.floor(value / HASHES) | 0, 0x27d4eb2f)
  mix = Math.imul(mix ^ (mix >>> 16), 0x85ebca6b)
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35)
  return (mix ^ (mix >>> 16)) >>> 0
}

/** Entries by name, those with the lowest hashes: all where there are at most `max`, never fewer than half of `max` once there were more. */
export class Sample<Entry> {
  readonly #max: number
  readonly #entries = new Map<string, { readonly hash: number; readonly entry: Entry }>()
  #below = HASHES

  constructor(max: number) {
    this.#max = max
  }
  /** True where an entry of this hash would be kept: asked before a copy is made. */
  takes(hash: number): boolean {
    return hash < this.#below
  }
  /** A later entry of a name takes the place of an earlier one, and has its hash. */
  put(name: string, hash: number, entry: Entry): void {
    this.#entries.set(name, { hash, entry })
    if (this.#entries.size <= this.#max) return
    const hashes = [...this.#entries.values()].map((one) => one.hash).sort((a, b) => a - b)
    this.#below = hashes[Math.floor(hashes.length / 2)] as number
    for (const [one, { hash: of }] of this.#entries) if (of >= this.#below) this.#entries.delete(one)
  }
  get entries(): readonly (readonly [name: string, entry: Entry])[] {
    return [...this.#entries].map(([name, { entry }]) => [name, entry])
  }
}
