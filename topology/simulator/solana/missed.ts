// The gaps of a demo on the wall clock: the parts of its stops that are too long ago to be played.
import type { TaskOwner } from '../../ports/log.ts'
import type { Stretch } from '../../sources/source.ts'
import { MISSED_S_MAX } from './defaults.ts'
import { isInGap, NO_LOSSES } from './losses.ts'
import { type DemoSourceOptions, followsWall } from './source-options.ts'

/**
 * A gap begins this long after the newest slot: whether a slot begins a fork depends on the slots after it that are sent, so that a later
 * start must not leave out slots that an earlier one has looked at.
 */
const GAP_AFTER_S = 60
/** The input of a commit that records a gap. */
const NAME = /^missed:(\d+)\.\.(\d+)$/

/** Times in seconds after the start of the market. */
export class Missed {
  readonly #options: Pick<DemoSourceOptions, 'startMs' | 'isOnWall' | 'speed' | 'wall' | 'notice'>
  readonly #gaps: Stretch[] = []

  constructor(options: DemoSourceOptions) {
    this.#options = options
  }
  has(atS: number): boolean {
    return isInGap({ ...NO_LOSSES, gaps: this.#gaps }, atS)
  }
  /** Adds the gaps that earlier starts have recorded. */
  restore(committed: ReadonlyMap<string, number>): void {
    for (const name of committed.keys()) {
      const [, fromS, toS] = NAME.exec(name) ?? []
      if (fromS !== undefined) this.#gaps.push({ fromS: Number(fromS), toS: Number(toS) })
    }
  }
  /**
   * Records what is longer ago than MISSED_S_MAX, if anything, so that every later start leaves out the same slots.
   * @param newestMs time of the newest slot
   */
  async leaveOut(owner: TaskOwner, newestMs: number): Promise<void> {
    const { notice = () => {}, startMs, wall } = this.#options
    const sinceStartS = (ms: number): number => Math.floor((ms - startMs) / 1_000)
    const gap = { fromS: sinceStartS(newestMs) + GAP_AFTER_S, toS: sinceStartS(wall()) - MISSED_S_MAX }
    if (!followsWall(this.#options) || gap.fromS >= gap.toS) return
    await owner.commit({ outputs: [], inputs: new Map([[`missed:${gap.fromS}..${gap.toS}`, 0]]) })
    this.#gaps.push(gap)
    const [from, to] = [gap.fromS, gap.toS].map((s) => new Date(startMs + s * 1_000).toISOString())
    const words = `the demo was stopped for more than ${MISSED_S_MAX / 3_600} h: the time from ${from} to ${to} is a gap; coins that were open then are thin`
    notice('demo_gap', { words })
  }
}
