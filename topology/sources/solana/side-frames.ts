// Frames that are not on our branch: late ones, rolled-back ones, and those of a branch that may still become canonical.
import type { LiveFrame } from './feed.ts'

/** About 60 KB each, ten times that at ten times the load. */
const SIDE_FRAMES_MAX = 64

export class SideFrames {
  readonly #byHash = new Map<string, LiveFrame>()

  /** Evicts the oldest. */
  keep(frame: LiveFrame): void {
    this.#byHash.set(frame.hash, frame)
    if (this.#byHash.size <= SIDE_FRAMES_MAX) return
    const [oldest] = [...this.#byHash.values()].sort((a, b) => a.number - b.number)
    if (oldest !== undefined) this.#byHash.delete(oldest.hash)
  }
  get(hash: string): LiveFrame | undefined {
    return this.#byHash.get(hash)
  }
  drop(hash: string): void {
    this.#byHash.delete(hash)
  }
  dropNumber(of: number): void {
    for (const { number, hash } of this.#byHash.values()) if (number === of) this.#byHash.delete(hash)
  }
  forgetUpTo(of: number): void {
    for (const { number, hash } of this.#byHash.values()) if (number <= of) this.#byHash.delete(hash)
  }
  /** The frame of that number with its stored ancestors, oldest first, up to the first that builds on our branch. */
  pathTo(of: number, isOurs: (hash: string) => boolean): readonly [LiveFrame, ...LiveFrame[]] | undefined {
    const tip = [...this.#byHash.values()].find(({ number }) => number === of)
    if (tip === undefined) return undefined
    for (let path: readonly [LiveFrame, ...LiveFrame[]] = [tip]; ; ) {
      if (isOurs(path[0].parentHash)) return path
      const parent = this.#byHash.get(path[0].parentHash)
      if (parent === undefined) return path
      path = [parent, ...path]
    }
  }
}
