// A client that polls cards and flags, and how old they are: the time since the oldest frame that the view does not show was sent.
import { setTimeout as pause } from 'node:timers/promises'

import { rawRecordCodec } from '../../schemas/codecs.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import type { Log } from '../../topology/ports/log.ts'
import { captureOwner } from '../../topology/ports/source-owners.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import type { marketBodies } from '../fixtures/rebuild-market.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { cardsOf } from '../live.ts'

type Body = ReturnType<typeof marketBodies>[number]
const LOOK_MS = 25
const CAPTURE = captureOwner('solana')
/** Number of the first record. */
const FIRST = 1

export interface Seen {
  readonly answers: number
  /** Polls without an answer. */
  readonly missing: readonly string[]
  readonly ageMaxS: number
}

/** Sends bodies at their pace, as capture does: with its position, so that it continues on another log with what that one lacks. */
export class PacedFeed {
  readonly #bodies: readonly Body[]
  readonly #frameMs: number
  /** Of the frames and forks. */
  readonly #sentAtMs: { readonly number: number; readonly atMs: number }[] = []
  #sent = 0
  #moved: Log | undefined

  constructor(bodies: readonly Body[], frameMs: number) {
    this.#bodies = bodies
    this.#frameMs = frameMs
  }
  get share(): number {
    return this.#sent / this.#bodies.length
  }
  async send(log: Log): Promise<void> {
    for (let owner = await log.own(CAPTURE); this.#sent < this.#bodies.length; ) {
      if (this.#moved !== undefined) {
        owner = await this.#moved.own(CAPTURE)
        this.#sent = (owner.committed().get('sequence') ?? FIRST) - FIRST
        this.#moved = undefined
      }
      const beganMs = performance.now()
      const sequence = FIRST + this.#sent
      const body = this.#bodies[this.#sent++] as Body
      if (body.type !== 'finality') this.#sentAtMs.push({ number: body.number, atMs: beganMs })
      const record = { topic: TOPICS.raw, partition: 0, key: Buffer.from('solana'), value: rawRecordCodec.encode({ sequence, body }) }
      await owner.commit({ outputs: [record], inputs: new Map([['sequence', sequence + 1]]) })
      await pause(this.#frameMs - (performance.now() - beganMs))
    }
  }
  /** From the next body on it sends to this log. */
  moveTo(log: Log): void {
    this.#moved = log
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

/** The clients of one feed, which all use the newest view. */
export class Clients {
  readonly feed: PacedFeed
  readonly over: AbortSignal
  readonly #polls: Promise<Seen>[] = []
  #stop = new AbortController()

  constructor(feed: PacedFeed, over: AbortSignal) {
    this.feed = feed
    this.over = over
  }
  /** Polls a view of this log, which is its own, from when it is ready: then the former view is not used any more. */
  async pollOn(log: Log): Promise<void> {
    const former = this.#stop
    this.#stop = new AbortController()
    const stop = AbortSignal.any([this.over, this.#stop.signal])
    const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
    await view.start()
    while (!(view.status().ready || stop.aborted)) await pause(LOOK_MS)
    former.abort()
    const polling = poll(view, this.feed, stop)
    // `seen` reports it.
    polling.catch(() => {})
    this.#polls.push(polling)
  }
  /** Resolves once all have ended. */
  async seen(): Promise<Seen> {
    const seen = await Promise.all(this.#polls)
    return {
      answers: seen.reduce((sum, { answers }) => sum + answers, 0),
      missing: [...new Set(seen.flatMap(({ missing }) => missing))],
      ageMaxS: Math.max(...seen.map(({ ageMaxS }) => ageMaxS)),
    }
  }
}

const poll = async (view: LogMintView, feed: PacedFeed, stop: AbortSignal): Promise<Seen> => {
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
  return { answers, missing, ageMaxS: Math.round(ageMaxS * 1_000) / 1_000 }
}

/** The cards of all launches on a log. */
export const cardsOn = async (log: Log): Promise<readonly string[]> => {
  const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  await view.start()
  const { folded, gap } = view.status()
  await view.stop()
  return cardsOf(view.launchesSince(0), folded?.time ?? 0, gap)
}
