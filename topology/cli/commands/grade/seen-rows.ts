// Which rows came before, in 20 bytes each: a million rows of text in a set would take ten times as much.
import { hash } from 'node:crypto'

const WORDS = 4
const SLOTS_START = 1_024
/** Beyond this share of the slots, searches get long. */
const FULL_SHARE_MAX = 0.5

/**
 * Rows by 128 bits of the SHA-256 of their text, with the line each came on: two that differ meet less than once in 10^26 files of a
 * million.
 */
export class SeenRows {
  #count = 0
  #keys = new Uint32Array(SLOTS_START * WORDS)
  /** 0 where a slot is free. */
  #lines = new Uint32Array(SLOTS_START)

  /** The line that the same text came on before; else undefined, and it is remembered with its line (from 1). */
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
  /** Where the key is, or the free slot where it belongs. */
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
