// How late an honest subscriber's alerts arrive without other subscribers, and next to targets that never answer or answer late. Each
// target is a host of its own (a port of this machine). A lag is the time from when a flag is readable to when its alert arrives; reading
// the feed, twice a second, is part of it.
import { createServer, type RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { type Key, keyText } from '../../schemas/keys.ts'
import type { FlagRecord } from '../../topology/ports/chain-view.ts'
import { MapView } from '../fakes/map-view.ts'
import { givenAlerts } from '../integration/alerts-given.ts'
import { Dice } from '../simulation/dice.ts'
import { startLocal } from '../tools/local-server.ts'
import { until } from '../tools/until.ts'
import { flagRow } from '../unit/query-api/given-mint.ts'

const KEY_BYTES = 32
/** A slow target answers within these times, ms: before the timeout of a delivery. */
const SLOW_MS_MIN = 1_000
const SLOW_MS_MAX = 9_000
/** How long alerts that have not arrived are waited for after the last flag. */
const LATE_MS_MAX = 10_000
const RATIO_MAX = 2
/** Flags at the start of each run that are not measured: the first requests to 200 hosts take the processor for a second or two. */
const WARM_FLAGS = 25

export interface FairPlan {
  readonly dead: number
  readonly slow: number
  /** Pairs of runs, without and with the other targets. */
  readonly rounds: number
  /** Measured flags of one run, each an alert for every subscriber, and the mean time between them. */
  readonly flags: number
  readonly everyMs: number
  readonly seed: number
}

interface Lags {
  readonly alerts: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Alerts that never arrived: their lag is the time until the end of the run. */
  readonly missing: number
}

export interface FairReport extends FairPlan {
  /** Lags of the honest subscriber, over all runs. */
  readonly alone: Lags
  readonly crowded: Lags
  /** p99 next to the other targets, divided by p99 without them. */
  readonly ratio: number
  /** Requests that arrived at the other targets. */
  readonly requests: { readonly dead: number; readonly slow: number }
}

export const isFair = ({ ratio, crowded }: FairReport): boolean => ratio < RATIO_MAX && crowded.missing === 0

export const runAlertsFair = async (plan: FairPlan, print: (line: string) => void = () => undefined): Promise<FairReport> => {
  const dice = new Dice(plan.seed, 'alerts-fair')
  const requests = { dead: 0, slow: 0 }
  const lags = { alone: [] as number[], crowded: [] as number[] }
  for (let round = 1; round <= plan.rounds; round++) {
    for (const [what, crowd] of [['alone', { dead: 0, slow: 0 }] as const, ['crowded', plan] as const]) {
      const found = await run({ ...plan, ...crowd }, dice, requests)
      lags[what].push(...found)
      print(`round ${round}, ${what}: ${JSON.stringify(lagsOf(found))}`)
    }
  }
  const [alone, crowded] = [lagsOf(lags.alone), lagsOf(lags.crowded)]
  return { ...plan, alone, crowded, ratio: Math.round((100 * crowded.p99) / alone.p99) / 100, requests }
}

const lagsOf = (all: readonly number[]): Lags => {
  const sorted = all.toSorted((a, b) => a - b)
  const at = (share: number): number => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0)
  return { alerts: all.length, p50: at(0.5), p99: at(0.99), missing: all.filter((ms) => ms >= LATE_MS_MAX).length }
}

const run = async ({ dead, slow, flags, everyMs }: FairPlan, dice: Dice, requests: { dead: number; slow: number }): Promise<number[]> => {
  const arrived = new Map<string, number>()
  const honest = await startTarget(async (request, response) => {
    arrived.set((JSON.parse(await text(request)) as { readonly mint: string }).mint, performance.now())
    response.end()
  })
  const never: RequestListener = (request) => {
    requests.dead += 1
    request.resume()
  }
  const late: RequestListener = (request, response) => {
    requests.slow += 1
    request.resume()
    setTimeout(() => response.end(), dice.int(SLOW_MS_MIN, SLOW_MS_MAX)).unref()
  }
  const crowd = await Promise.all([...many(dead, () => startTarget(never)), ...many(slow, () => startTarget(late))])
  const view = new FlagView()
  const given = await givenAlerts({ view, clock: { now: Date.now }, wallClock: { now: Date.now } })
  given.time.nowS = nowS()
  try {
    for (const { url } of [...crowd, honest]) await given.buy({ kinds: ['rug_flags'], url })
    await until(async () => (await given.rows.all('joined')).size === crowd.length + 1)
    const begun = new Map<string, number>()
    for (let n = 1; n <= WARM_FLAGS + flags; n++) {
      begun.set(view.flag(n), performance.now())
      await pause(dice.int(everyMs / 2, (everyMs * 3) / 2))
    }
    await until(() => arrived.size === begun.size, { msMax: LATE_MS_MAX }).catch(() => undefined)
    const endMs = performance.now()
    return Array.from(begun, ([mint, at]) => (arrived.get(mint) ?? endMs) - at).slice(WARM_FLAGS)
  } finally {
    await given.close()
    await Promise.all([honest, ...crowd].map(({ close }) => close()))
  }
}

const many = <Made>(count: number, make: () => Made): Made[] => Array.from({ length: count }, make)
const startTarget = (listener: RequestListener) => startLocal(createServer(listener))
const nowS = (): number => Math.floor(Date.now() / 1_000)

/** A view of flags that reads no more than is asked for: `MapView` sorts all at each call. */
class FlagView extends MapView {
  readonly #newestFirst: FlagRecord[] = []

  constructor() {
    super()
    this.setStatus({ folded: { number: 0, time: nowS() } })
  }
  /** A flag of a mint of its own, readable from now on; returns the mint's address. */
  flag(number: number): string {
    const mint = Buffer.from(String(number).padStart(KEY_BYTES, '0')).toString('latin1') as Key
    const { firstSeenAt: _, ...row } = flagRow('creator_sold', { number, findingId: `found ${number}` })
    this.#newestFirst.unshift({ ...row, chain: 'solana', mint, at: nowS(), creator: null, mintAgeS: null })
    this.setStatus({ folded: { number, time: nowS() } })
    return keyText(mint)
  }
  override *flagsSince(since: number, until = Number.POSITIVE_INFINITY): Iterable<FlagRecord> {
    for (const flag of this.#newestFirst) {
      if (flag.at < since) return
      if (flag.at <= until) yield flag
    }
  }
}
