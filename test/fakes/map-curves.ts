// A CurveView over a map that tests fill. It does not simulate: partitions, commits (a put is seen at once), restore, forks (nothing is
// ever retracted), eviction, or cost: launches are sorted at every call.

import { alt } from '../../processors/chains/alt/chain.ts'
import { curveDetectors } from '../../processors/curve/detectors/index.ts'
import type { CurveCardsContext } from '../../query-api/answers/curves/desk.ts'
import type { Key } from '../../schemas/keys.ts'
import { comparePositions } from '../../schemas/position.ts'
import type { CurveState } from '../../schemas/types.ts'
import type { Detection, FlagRecord, StreamClock, ViewFinality, ViewLags, ViewStatus } from '../../topology/ports/chain-view.ts'
import type { CurveSnapshot, CurveView } from '../../topology/ports/curve-view.ts'

const NO_COUNTS: ViewStatus['counters'] = { frames: 0, events: 0, flags: 0, dead_letters: 0, missing_events: 0, gaps: 0, forks: 0 }
const NOT_MEASURED = { ok: false, reason: 'no frame was measured' } as const

export class MapCurves implements CurveView {
  readonly #curves = new Map<Key, CurveSnapshot>()
  readonly #headsRead = new Map<Key, number>()
  #version = 0
  #status: ViewStatus = { folded: null, tip: null, gap: null, observedSince: 0, tracked: 0, counters: NO_COUNTS, ready: true }
  #finality: ViewFinality | null = null

  /** Puts rows and gives them the next version. */
  put(token: Key, state: CurveState): void {
    this.#version += 1
    const read = (): void => void this.#headsRead.set(token, this.headsRead(token) + 1)
    this.#curves.set(token, {
      ...{ token, state, version: this.#version },
      get head() {
        read()
        return state
      },
    })
  }
  /** How often the token's `head` (its rows without holders) was read. */
  headsRead(token: Key): number {
    return this.#headsRead.get(token) ?? 0
  }
  /** Changes the status; omitted fields stay. */
  setStatus(change: Partial<ViewStatus>): void {
    this.#status = { ...this.#status, ...change }
  }
  /** Sets the source's finality. */
  sure(finality: ViewFinality): void {
    this.#finality = finality
  }
  get(token: Key): CurveSnapshot | undefined {
    return this.#curves.get(token)
  }
  find(address: Key): CurveSnapshot | undefined {
    const isIt = ({ state: { launch, stub } }: CurveSnapshot): boolean => (launch ?? stub)?.curve === address
    return this.#curves.get(address) ?? [...this.#curves.values()].find(isIt)
  }
  *launchesSince(since: number, until = Number.POSITIVE_INFINITY): Iterable<CurveSnapshot> {
    const found = [...this.#curves.values()].flatMap((snapshot) => {
      const { launch } = snapshot.state
      return launch === null || launch.at < since || launch.at > until ? [] : [{ snapshot, launch }]
    })
    const byTime = found.sort((a, b) => b.launch.at - a.launch.at || comparePositions(placed(b.launch), placed(a.launch)))
    yield* byTime.map(({ snapshot }) => snapshot)
  }
  flagsSince(): Iterable<FlagRecord> {
    return []
  }
  retracted(): undefined {
    return undefined
  }
  retractedFlags(): Iterable<FlagRecord> {
    return []
  }
  finality(): ViewFinality | null {
    return this.#finality
  }
  status(): ViewStatus {
    return { ...this.#status, tracked: this.#curves.size }
  }
  lags(): ViewLags {
    return { views: [{ view: 'alt-curve.changelog', recordsBehind: 0 }], streamMsBehind: 0 }
  }
  detection(): Detection {
    return { fromArrival: NOT_MEASURED, fromBlock: NOT_MEASURED }
  }
}

const placed = <At extends object>(at: At): At & { readonly chain: 'alt' } => ({ chain: 'alt', ...at })

/** What a service needs about curves, for a chain that is followed. */
export const curvesOf = (view: CurveView = new MapCurves(), clock: StreamClock = { now: () => null }): CurveCardsContext => ({
  ...{ chain: alt, detectors: curveDetectors, view, clock, isFollowed: true },
  source: () => 'test of curves',
  finalityOf: () => 'finalized',
})
/** The same for a chain that is not followed. */
export const noCurves = (): CurveCardsContext => ({ ...curvesOf(new MapCurves(), { now: Date.now }), isFollowed: false })
