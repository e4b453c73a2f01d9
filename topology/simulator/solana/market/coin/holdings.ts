// The holders of one coin: their balances, and when each intends to sell.
import type { Key } from '../../../../../schemas/keys.ts'
import type { Random } from '../../../random.ts'

export interface Holding {
  readonly wallet: Key
  units: number
  /** Unix milliseconds from which it sells; infinity for never. */
  dueMs: number
  /** Index in the list of holdings. */
  at: number
}

/** Holders that are drawn to choose a seller: the one that is due first sells. */
const SAMPLE_SIZE = 12
/** Limit of tracked holders. A further one replaces a holder that never sells, or the first in the list if all will sell. */
const HOLDERS_MAX = 3_000

export class Holdings {
  readonly #byWallet = new Map<Key, Holding>()
  readonly #list: Holding[] = []

  get size(): number {
    return this.#list.length
  }
  find(wallet: Key): Holding | undefined {
    return this.#byWallet.get(wallet)
  }
  /** Adds coins; the latest buy determines when the whole holding is sold. */
  add(wallet: Key, units: number, dueMs: number): void {
    const holding = this.#byWallet.get(wallet)
    if (holding !== undefined) {
      holding.units += units
      holding.dueMs = dueMs
      return
    }
    if (this.#list.length >= HOLDERS_MAX) this.#drop(this.#patient())
    const added = { wallet, units, dueMs, at: this.#list.length }
    this.#byWallet.set(wallet, added)
    this.#list.push(added)
  }
  take(holding: Holding, units: number): void {
    holding.units -= units
    if (holding.units === 0) this.#drop(holding)
  }
  /** A random holder; undefined if there is none. */
  any(random: Random): Holding | undefined {
    return this.#list[random.int(this.#list.length)]
  }
  /** Of two random holders, the one that holds more; undefined if there is none. */
  largerOfTwo(random: Random): Holding | undefined {
    const [one, other] = [this.any(random), this.any(random)]
    return one !== undefined && other !== undefined && other.units > one.units ? other : one
  }
  /** Of a random sample, the holder that is due first; undefined if none of them ever sells. */
  impatient(random: Random): Holding | undefined {
    let found: Holding | undefined
    for (let n = Math.min(SAMPLE_SIZE, this.#list.length); n > 0; n--) {
      const holding = this.any(random)
      if (holding !== undefined && holding.dueMs < (found?.dueMs ?? Number.POSITIVE_INFINITY)) found = holding
    }
    return found
  }
  /** The largest holding, excluding one wallet. */
  largest(except: Key | undefined): Holding | undefined {
    let found: Holding | undefined
    for (const holding of this.#list) if (holding.wallet !== except && (found === undefined || holding.units > found.units)) found = holding
    return found
  }
  #patient(): Holding {
    return this.#list.find(({ dueMs }) => dueMs === Number.POSITIVE_INFINITY) ?? (this.#list[0] as Holding)
  }
  #drop(holding: Holding): void {
    this.#byWallet.delete(holding.wallet)
    const last = this.#list.pop() as Holding
    if (last === holding) return
    last.at = holding.at
    this.#list[last.at] = last
  }
}
