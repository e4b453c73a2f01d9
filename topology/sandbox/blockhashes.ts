// Slots and blockhashes of the sandbox, computed from its seed and the clock: nothing is stored, and a restart gives the same values.
import { createHash } from 'node:crypto'
import bs58 from 'bs58'

export const SLOT_MS = 400
/** A chain accepts the last 150 blockhashes. */
export const VALID_SLOTS = 150

export class Blockhashes {
  readonly #seed: string
  readonly #genesisMs: number
  readonly #now: () => number
  #newest: number

  /** @param newest slot of the last landed transaction: slots never decrease, even if the clock goes back. */
  constructor(seed: string, genesisMs: number, newest: number, now: () => number) {
    this.#seed = seed
    this.#genesisMs = genesisMs
    this.#newest = newest
    this.#now = now
  }

  slot(): number {
    this.#newest = Math.max(this.#newest, Math.floor((this.#now() - this.#genesisMs) / SLOT_MS) + 1)
    return this.#newest
  }

  latest(): string {
    return bs58.encode(this.#hash(this.slot()))
  }

  /** True for the newest 150 blockhashes. */
  isValid(blockhash: string): boolean {
    const wanted = Buffer.from(bs58.decodeUnsafe(blockhash) ?? [])
    const newest = this.slot()
    for (let slot = newest; slot > 0 && slot > newest - VALID_SLOTS; slot--) if (this.#hash(slot).equals(wanted)) return true
    return false
  }

  #hash(slot: number): Buffer {
    return createHash('sha256').update(`${this.#seed}/${slot}`).digest()
  }
}
