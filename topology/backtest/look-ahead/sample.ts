// A deterministic sample of calls: those with the lowest hashes, up to a limit.

/** Hashes are integers below this. */
const HASHES = 2 ** 32

/** Mixes a number into a 32-bit hash; flipping one input bit flips half of the output bits on average. */
export const mixed = (hash: number, value: number): number => {
  let mix = hash ^ (value | 0) ^ Math.imul(Math.floor(value / HASHES) | 0, 0x27d4eb2f)
  mix = Math.imul(mix ^ (mix >>> 16), 0x85ebca6b)
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35)
  return (mix ^ (mix >>> 16)) >>> 0
}

/** Entries by name. When there are more than `max`, the half with the higher hashes is dropped, and such hashes are no longer taken. */
export class Sample<Entry> {
  readonly #max: number
  readonly #entries = new Map<string, { readonly hash: number; readonly entry: Entry }>()
  #below = HASHES

  constructor(max: number) {
    this.#max = max
  }
  /** True if an entry with this hash would be kept: checked before copying it. */
  takes(hash: number): boolean {
    return hash < this.#below
  }
  /** A later entry replaces an earlier one with the same name, including its hash. */
  put(name: string, hash: number, entry: Entry): void {
    this.#entries.set(name, { hash, entry })
    if (this.#entries.size <= this.#max) return
    const hashes = [...this.#entries.values()].map((one) => one.hash).sort((a, b) => a - b)
    this.#below = hashes[Math.floor(hashes.length / 2)] as number
    for (const [key, kept] of this.#entries) if (kept.hash >= this.#below) this.#entries.delete(key)
  }
  get entries(): readonly (readonly [name: string, entry: Entry])[] {
    return [...this.#entries].map(([name, { entry }]) => [name, entry])
  }
}
