// Findings that a fork took back, findable for a day. Each partition of the topic takes back what it said itself.
import type { FlagSighting } from '../ports/mint-view.ts'

/** How long a retracted finding is kept, seconds of stream time. */
const KEEP_S = 86_400
/** Retracted findings kept: a fork of 32 slots takes back a handful. */
const RETRACTED_MAX = 10_000
/** Frames that a fork may take back: findings of older ones stand for good. */
const FRAMES_MAX = 10_000
/** Findings of a partition that may still be taken back: ten times today's load says about 14,000 in so many frames. */
const OPEN_MAX = 50_000

interface Open {
  readonly sighting: FlagSighting
  readonly hash8: string
}

/** Retracted findings by id. A finding that is said again, because its branch came back, stands again. */
export class RetractedFlags {
  /** By partition, in the order in which they were said: frames are taken back newest first. */
  readonly #open = new Map<number, Open[]>()
  readonly #retracted = new Map<string, FlagSighting>()
  #newest = 0

  /** A finding was said. */
  say(partition: number, sighting: FlagSighting, hash8: string): void {
    this.#newest = Math.max(this.#newest, sighting.at)
    this.#retracted.delete(sighting.findingId)
    const open = this.#open.get(partition) ?? []
    open.push({ sighting, hash8 })
    const isBound = open.length > OPEN_MAX || (open[0] as Open).sighting.number < sighting.number - 2 * FRAMES_MAX
    const first = sighting.number - FRAMES_MAX
    this.#open.set(partition, isBound ? open.filter(({ sighting: { number } }) => number >= first).slice(-OPEN_MAX / 2) : open)
  }
  /** A frame was taken back; gives the findings of it that this partition had said. */
  retract(partition: number, { number, hash8 }: { readonly number: number; readonly hash8: string }): readonly FlagSighting[] {
    const open = this.#open.get(partition) ?? []
    let first = open.length
    while (first > 0 && (open[first - 1] as Open).sighting.number >= number) first -= 1
    const dead = open.slice(first).filter((one) => one.sighting.number === number && one.hash8 === hash8)
    this.#open.set(partition, [...open.slice(0, first), ...open.slice(first).filter((one) => !dead.includes(one))])
    for (const { sighting } of dead) this.#retracted.set(sighting.findingId, sighting)
    this.#forget()
    return dead.map(({ sighting }) => sighting)
  }
  /** The finding as it was said; undefined where it stands, is not known, or is a day older than the newest. */
  get(findingId: string): FlagSighting | undefined {
    const found = this.#retracted.get(findingId)
    return found !== undefined && found.at >= this.#newest - KEEP_S ? found : undefined
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
