// How late an honest subscriber's alerts arrive without other subscribers, and next to targets that never answer or answer late. Each
// target is a host of its own (a port of this machine). The lag is measured from when an event is readable to when its alert arrives.
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { type AlertStore, TableRows } from '../../query-api/alerts/rows/table-rows.ts'
import { type Key, keyText } from '../../schemas/keys.ts'
import { openLmdbTables } from '../../topology/data-dir/lmdb-tables.ts'
import { ALERT_TABLES } from '../../topology/operations/backup/data-dir.ts'
import { type GivenAlerts, givenAlerts } from '../integration/alerts-given.ts'
import { Dice } from '../simulation/dice.ts'
import { startLocal } from '../tools/local-server.ts'
import { until } from '../tools/until.ts'
import { flagRow, liveState } from '../unit/query-api/given-mint.ts'

const KINDS = ['graduation_odds', 'rug_flags'] as const
type Kind = (typeof KINDS)[number]
const KEY_BYTES = 32
/** A slow target answers within these times, ms: before the timeout of a delivery. */
const SLOW_MS_MIN = 1_000
const SLOW_MS_MAX = 9_000
/** How long alerts that have not arrived are waited for after the last event. */
const LATE_MS_MAX = 10_000

export interface FairPlan {
  readonly dead: number
  readonly slow: number
  /** Pairs of runs, without and with the other targets. */
  readonly rounds: number
  /** Events of one run, each an alert of each kind for every subscriber, and the mean time between them. */
  readonly events: number
  readonly everyMs: number
  readonly seed: number
}

export interface FairReport extends FairPlan {
  /** Lags of the honest subscriber, ms, over all runs. */
  readonly alone: Readonly<Record<Kind, Lags>>
  readonly crowded: Readonly<Record<Kind, Lags>>
  /** p99 next to the other targets, divided by p99 without them. */
  readonly ratio: Readonly<Record<Kind, number>>
  /** Requests that arrived at the other targets. */
  readonly requests: { readonly dead: number; readonly slow: number }
}

interface Lags {
  readonly alerts: number
  readonly p50: number
  readonly p99: number
  /** Alerts that never arrived: their lag is the time until the end of the run. */
  readonly missing: number
}

const RATIO_MAX = 2
export const isFair = ({ ratio, crowded }: FairReport): boolean =>
  KINDS.every((kind) => ratio[kind] < RATIO_MAX && crowded[kind].missing === 0)

export const runAlertsFair = async (plan: FairPlan, print: (line: string) => void = () => undefined): Promise<FairReport> => {
  const dice = new Dice(plan.seed, 'alerts-fair')
  const requests = { dead: 0, slow: 0 }
  const lags = { alone: new Measured(), crowded: new Measured() }
  for (let round = 0; round < plan.rounds; round++) {
    for (const [what, crowd] of [['alone', { dead: 0, slow: 0 }] as const, ['crowded', plan] as const]) {
      await run({ ...plan, ...crowd }, dice, lags[what], requests)
      print(`round ${round + 1}, ${what}: ${JSON.stringify(lags[what].report())}`)
    }
  }
  const [alone, crowded] = [lags.alone.report(), lags.crowded.report()]
  const ratio = ofKinds((kind) => Math.round((100 * crowded[kind].p99) / alone[kind].p99) / 100)
  return { ...plan, alone, crowded, ratio, requests }
}

const ofKinds = <Value>(value: (kind: Kind) => Value): Readonly<Record<Kind, Value>> => ({
  graduation_odds: value('graduation_odds'),
  rug_flags: value('rug_flags'),
})

class Measured {
  readonly #ms = ofKinds((): number[] => [])
  readonly #missing = { graduation_odds: 0, rug_flags: 0 }

  add(kind: Kind, ms: number, isMissing: boolean): void {
    this.#ms[kind].push(ms)
    if (isMissing) this.#missing[kind] += 1
  }
  report(): Readonly<Record<Kind, Lags>> {
    return ofKinds((kind) => {
      const sorted = this.#ms[kind].sort((a, b) => a - b)
      const at = (share: number): number => Math.round((sorted[Math.ceil(share * sorted.length) - 1] ?? 0) * 10) / 10
      return { alerts: sorted.length, p50: at(0.5), p99: at(0.99), missing: this.#missing[kind] }
    })
  }
}

const run = async ({ dead, slow, events, everyMs }: FairPlan, dice: Dice, lags: Measured, requests: FairReport['requests']) => {
  const store = await openStore()
  const arrived = new Map<string, number>()
  const counts = { dead: 0, slow: 0 }
  const honest = await startTarget(async (request, response) => {
    const { kind, mint } = JSON.parse(await text(request))
    arrived.set(`${kind} ${mint}`, performance.now())
    response.end()
  })
  const never: RequestListener = (request) => {
    counts.dead += 1
    request.resume()
  }
  const late: RequestListener = (request, response) => {
    counts.slow += 1
    request.resume()
    setTimeout(() => response.end(), dice.int(SLOW_MS_MIN, SLOW_MS_MAX)).unref()
  }
  const crowd = await Promise.all([...many(dead, () => startTarget(never)), ...many(slow, () => startTarget(late))])
  const given = await givenAlerts({ rows: store.rows, clock: { now: Date.now }, wallClock: { now: Date.now } })
  try {
    for (const { url } of [...crowd, honest]) await given.buy({ kinds: KINDS, url, min_odds: 0.5 })
    await until(async () => (await given.rows.all('joined')).size === crowd.length + 1)
    const begun = new Map<string, number>()
    for (let n = 0; n < events; n++) {
      const mint = happen(given, n)
      for (const kind of KINDS) begun.set(`${kind} ${mint}`, performance.now())
      await pause(dice.int(everyMs / 2, (everyMs * 3) / 2))
    }
    await until(() => arrived.size === begun.size, { msMax: LATE_MS_MAX }).catch(() => undefined)
    const endMs = performance.now()
    for (const [name, at] of begun) lags.add(name.split(' ')[0] as Kind, (arrived.get(name) ?? endMs) - at, !arrived.has(name))
    requests.dead += counts.dead
    requests.slow += counts.slow
  } finally {
    await given.close()
    await Promise.all([honest, ...crowd].map(({ close }) => close()))
    await store.close()
  }
}

const many = <Made>(count: number, make: () => Made): Made[] => Array.from({ length: count }, make)
const startTarget = (listener: RequestListener) => startLocal(createServer(listener))

/** Both kinds of events, of a mint of their own; returns its address. */
const happen = ({ view, odds }: GivenAlerts, n: number): string => {
  const mint = Buffer.from(String(n).padStart(KEY_BYTES, '0')).toString('latin1') as Key
  const number = 1_101 + n
  const time = Math.floor(Date.now() / 1_000)
  view.put(mint, liveState({ flags: [flagRow('creator_sold', { number, firstSeenAt: time, findingId: `found ${n}` })] }))
  view.setStatus({ folded: { number, time }, tip: { number, time } })
  odds.append({ mint, head: 'true_graduation', ppm: 900_000, at: time }, n % odds.partitions)
  return keyText(mint)
}

const openStore = async () => {
  const dir = await mkdtemp(join(tmpdir(), 'mintfold-alerts-fair-'))
  const { tables, close } = openLmdbTables<Record<string, never>>(dir, ALERT_TABLES)
  return {
    rows: new TableRows(tables as unknown as AlertStore),
    close: async () => {
      await close()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
