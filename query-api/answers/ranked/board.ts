// The ranked preview: rebuilt from the views at most every few seconds and shared by all requests.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { rankedRow } from '../../../processors/mint/card/ranked-row.ts'
import type { MintSnapshot } from '../../../topology/ports/mint-view.ts'
import { first } from '../market/missing.ts'
import type { Instant, Service } from '../service.ts'
import { probabilitiesOf } from './probabilities.ts'
import { type Candidate, candidateOf, GRADUATION_SIDE, GRADUATION_WINDOW_S, RUG_SIDE, ranked, rankedBy } from './rank.ts'

/** Minimum time between rebuilds, wall seconds. */
export const REFRESH_S = 5
/** While the preview is rebuilt, the previous one is shown up to this age, wall ms. */
const SHOWN_MS_MAX = 7_000
/** Rows per side. */
export const ROWS_MAX = 25
/** Newest launches examined. At ten times the current load, the window has 4,000 launches. */
const LAUNCHES_MAX = 5_000
/** Launches examined before yielding to the event loop: about 2 ms if none is decoded yet. */
const TURN_LAUNCHES = 64

export interface Standings {
  readonly instant: Instant
  readonly candidates: number
  readonly rug: Rows
  readonly graduation: Rows
}
interface Rows {
  /** The ranking criterion, for people. */
  readonly by: string
  readonly rows: readonly RadarRow[]
}
export type RadarRow = ReturnType<typeof rowOf>

/** The preview of one service. */
export class Board {
  readonly #service: Service
  #shown: { readonly atMs: number; readonly standings: Standings } | undefined
  #making: Promise<Standings> | undefined
  /** Number of rebuilds. */
  builds = 0

  constructor(service: Service) {
    this.#service = service
  }
  /** Returns the same object until the next rebuild. The view must be ready. */
  standings(instant: Instant): Standings | Promise<Standings> {
    const nowMs = this.#service.options.wallClock.now()
    const ageMs = this.#shown === undefined ? Number.POSITIVE_INFINITY : nowMs - this.#shown.atMs
    if (this.#shown !== undefined && ageMs >= 0 && ageMs < REFRESH_S * 1_000) return this.#shown.standings
    this.#making ??= this.#make(nowMs, instant)
    if (this.#shown === undefined || ageMs < 0 || ageMs >= SHOWN_MS_MAX) return this.#making
    this.#making.catch(() => {})
    return this.#shown.standings
  }
  async #make(atMs: number, instant: Instant): Promise<Standings> {
    try {
      const standings = await this.#build(instant)
      this.#shown = { atMs, standings }
      return standings
    } finally {
      this.#making = undefined
    }
  }
  async #build(instant: Instant): Promise<Standings> {
    this.builds += 1
    const { options } = this.#service
    const { odds } = options
    const { asOf } = instant.moment
    const candidates: Candidate[] = []
    // Copied synchronously, because the list changes when the event loop runs.
    const launches = first(options.view.launchesSince(asOf - GRADUATION_WINDOW_S), LAUNCHES_MAX)
    for (const [at, snapshot] of launches.entries()) {
      if (at > 0 && at % TURN_LAUNCHES === 0) await nextTurn()
      const candidate = candidateOf(snapshot, instant.moment, odds)
      if (candidate !== undefined) candidates.push(candidate)
    }
    const side = (which: typeof RUG_SIDE): Rows => ({
      by: rankedBy(odds, which),
      rows: ranked(candidates, which, ROWS_MAX).map(({ snapshot }) => rowOf(this.#service, snapshot, instant)),
    })
    return { instant, candidates: candidates.length, rug: side(RUG_SIDE), graduation: side(GRADUATION_SIDE) }
  }
}

const rowOf = ({ options }: Service, snapshot: MintSnapshot, { moment }: Instant) => {
  const { mint, state } = snapshot
  const { launch, curve } = state
  if (launch === null || curve === null) throw new Error('a candidate must have a launch and a curve')
  const row = rankedRow({ mint, launch, curve, state }, moment, options.chain)
  return {
    ...row,
    probabilities: probabilitiesOf(options.odds, mint),
    check_url: `${options.baseUrl}/v1/check/mint/${row.mint}`,
    full_card_url: `${options.baseUrl}/v1/mint/${row.mint}`,
    record_url: `${options.baseUrl}/token/${row.mint}`,
  }
}
