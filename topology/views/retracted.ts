// Conclusions retracted by a fork, kept for a day. Each partition of the topic retracts only its own conclusions.
import type { FlagRecords } from './status/sightings.ts'

/** Retention of retracted conclusions, seconds of stream time. */
const KEEP_S = 86_400
/** Maximum number of them: a fork of 32 slots retracts a handful. */
const RETRACTED_MAX = 10_000
/** Maximum depth of a fork in frames: conclusions of older frames are final. */
const FRAMES_MAX = 10_000
/** Conclusions of a partition that may still be retracted: at ten times the current load about 14,000 in that many frames. */
const OPEN_MAX = 50_000

interface Open<T> {
  readonly sighting: T
  readonly hash8: string
}

/** Retracted conclusions by id. A conclusion that is published again, because its branch is canonical again, is valid again. */
export class Retracted<T extends FlagRecords> {
  readonly #idOf: (one: T) => string
  /** By partition, in publication order: frames are rolled back newest first. */
  readonly #open = new Map<number, Open<T>[]>()
  readonly #retracted = new Map<string, T>()
  #newest = 0

  constructor(idOf: (one: T) => string) {
    this.#idOf = idOf
  }
  /** Call when a conclusion is published. */
  published(partition: number, sighting: T, hash8: string): void {
    this.#newest = Math.max(this.#newest, sighting.at)
    this.#retracted.delete(this.#idOf(sighting))
    const open = this.#open.get(partition) ?? []
    open.push({ sighting, hash8 })
    const isBound = open.length > OPEN_MAX || (open[0] as Open<T>).sighting.number < sighting.number - 2 * FRAMES_MAX
    const first = sighting.number - FRAMES_MAX
    this.#open.set(partition, isBound ? open.filter(({ sighting: { number } }) => number >= first).slice(-OPEN_MAX / 2) : open)
  }
  /** Call when a frame is rolled back; returns this partition's conclusions of it. */
  retract(partition: number, { number, hash8 }: { readonly number: number; readonly hash8: string }): readonly T[] {
    const open = this.#open.get(partition) ?? []
    let first = open.length
    while (first > 0 && (open[first - 1] as Open<T>).sighting.number >= number) first -= 1
    const dead = open.slice(first).filter((one) => one.sighting.number === number && one.hash8 === hash8)
    this.#open.set(partition, [...open.slice(0, first), ...open.slice(first).filter((one) => !dead.includes(one))])
    for (const { sighting } of dead) this.#retracted.set(this.#idOf(sighting), sighting)
    this.#forget()
    return dead.map(({ sighting }) => sighting)
  }
  /** Call when a rebuild no longer produces a conclusion. */
  withdraw(partition: number, sighting: T): void {
    const id = this.#idOf(sighting)
    const open = this.#open.get(partition) ?? []
    this.#open.set(
      partition,
      open.filter((one) => this.#idOf(one.sighting) !== id),
    )
    this.#retracted.set(this.#idOf(sighting), sighting)
    this.#forget()
  }
  /** The retracted conclusion; undefined if it is valid, unknown, or more than a day older than the newest conclusion. */
  get(id: string): T | undefined {
    const found = this.#retracted.get(id)
    return found !== undefined && found.at >= this.#newest - KEEP_S ? found : undefined
  }
  /** All conclusions that `get` would return. */
  *all(): Iterable<T> {
    for (const one of this.#retracted.values()) if (one.at >= this.#newest - KEEP_S) yield one
  }
  get size(): number {
    return this.#retracted.size
  }
  #forget(): void {
    for (const [id, { at }] of this.#retracted) {
      if (at >= this.#newest - KEEP_S && this.#retracted.size <= RETRACTED_MAX) return
      this.#retracted.delete(id)
    }
  }
}
