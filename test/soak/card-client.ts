// A client that polls cards and flags, and how old they are: the time since the oldest frame that the view does not show was sent.
import { setTimeout as pause } from 'node:timers/promises'

import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import type { Log } from '../../topology/ports/log.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import type { marketBodies } from '../fixtures/rebuild-market.ts'
import { appendRaw, cardsOf } from '../live.ts'

type Body = ReturnType<typeof marketBodies>[number]
const LOOK_MS = 25

export interface Seen {
  readonly answers: number
  /** Polls without an answer. */
  readonly missing: readonly string[]
  readonly ageMaxS: number
}

/** Sends bodies at their pace. */
export class PacedFeed {
  readonly #bodies: readonly Body[]
  readonly #frameMs: number
  /** Of the frames and forks. */
  readonly #sentAtMs: { readonly number: number; readonly atMs: number }[] = []
  #sent = 0

  constructor(bodies: readonly Body[], frameMs: number) {
    this.#bodies = bodies
    this.#frameMs = frameMs
  }
  get share(): number {
    return this.#sent / this.#bodies.length
  }
  async send(log: Log): Promise<void> {
    for (const body of this.#bodies) {
      const beganMs = performance.now()
      if (body.type !== 'finality') this.#sentAtMs.push({ number: body.number, atMs: beganMs })
      await appendRaw(log, [body], ++this.#sent)
      await pause(this.#frameMs - (performance.now() - beganMs))
    }
  }
  /** Resolves when this share of the bodies was sent. */
  async reached(share: number): Promise<void> {
    while (this.share < share) await pause(LOOK_MS)
  }
  /** How long a view with this newest frame has lacked the next one, in seconds. */
  ageS(number: number): number {
    const shown = this.#sentAtMs.findLastIndex((one) => one.number === number)
    const next = this.#sentAtMs[shown + 1]
    return next === undefined ? 0 : (performance.now() - next.atMs) / 1_000
  }
}

/** Polls until `stop`; `log` is its own. */
export const pollCards = async (log: Log, feed: PacedFeed, stop: AbortSignal): Promise<Seen> => {
  const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  await view.start()
  const missing: string[] = []
  let [answers, ageMaxS] = [0, 0]
  for (; !stop.aborted; await pause(LOOK_MS)) {
    const { ready, folded, gap } = view.status()
    try {
      if (!ready) throw new Error('the view is not ready')
      const cards = cardsOf(view.launchesSince(0), folded?.time ?? 0, gap)
      answers += cards.length + [...view.flagsSince(0)].length > 0 ? 1 : 0
    } catch (failure) {
      missing.push(String(failure))
    }
    if (folded !== null) ageMaxS = Math.max(ageMaxS, feed.ageS(folded.number))
  }
  await view.stop()
  return { answers, missing: [...new Set(missing)], ageMaxS: Math.round(ageMaxS * 1_000) / 1_000 }
}

/** The cards of all launches on a log. */
export const cardsOn = async (log: Log): Promise<readonly string[]> => {
  const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  await view.start()
  const { folded, gap } = view.status()
  await view.stop()
  return cardsOf(view.launchesSince(0), folded?.time ?? 0, gap)
}
