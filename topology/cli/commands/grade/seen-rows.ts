// Detects repeated rows with 40 to 80 bytes per row: 20 bytes per slot, and at most half of the slots are used. A Set of the texts would
// take about 200 bytes per row.
import { hash } from 'node:crypto'

const WORDS = 4
const SLOTS_START = 1_024
/** Load factor at which the table grows, because probing gets slow. */
const FULL_SHARE_MAX = 0.5

/**
 * Rows by 128 bits of the SHA-256 of their text, with their line numbers. Two different rows collide less than once in 10^26 files of a
 * million rows.
 */
export class SeenRows {
  #count = 0
  #keys = new Uint32Array(SLOTS_START * WORDS)
  /** 0 where a slot is free. */
  #lines = new Uint32Array(SLOTS_START)

  /** The line of the earlier equal text; undefined if there is none, and the text is then stored with its line (from 1). */
  add(text: string, line: number): number | undefined {
    const digest = hash('sha256', text, 'buffer')
    const key = Uint32Array.from({ length: WORDS }, (_, word) => digest.readUInt32LE(word * 4))
    const slot = this.#slotOf(key)
    const before = this.#lines[slot]
    if (before) return before
    this.#put(slot, key, line)
    if (++this.#count > this.#lines.length * FULL_SHARE_MAX) this.#grow()
    return undefined
  }
  /** The slot of the key, or the free slot for it. */
  #slotOf(key: Uint32Array): number {
    const mask = this.#lines.length - 1
    let slot = (key[0] as number) & mask
    while (this.#lines[slot] !== 0 && !this.#isAt(slot, key)) slot = (slot + 1) & mask
    return slot
  }
  #isAt(slot: number, key: Uint32Array): boolean {
    return key.every((word, at) => this.#keys[slot * WORDS + at] === word)
  }
  #put(slot: number, key: Uint32Array, line: number): void {
    this.#keys.set(key, slot * WORDS)
    this.#lines[slot] = line
  }
  #grow(): void {
    const [keys, lines] = [this.#keys, this.#lines]
    this.#keys = new Uint32Array(keys.length * 2)
    this.#lines = new Uint32Array(lines.length * 2)
    for (const [slot, line] of lines.entries()) {
      if (line === 0) continue
      const key = keys.subarray(slot * WORDS, (slot + 1) * WORDS)
      this.#put(this.#slotOf(key), key, line)
    }
  }
}
