// Kills the deliverer of alerts during deliveries to a receiver that fails at random: every crossing arrives at least once, under one id,
// and no event after the end of a term does. A killed process writes nothing more and sees no response; what it had sent may have arrived.

import { setTimeout as pause } from 'node:timers/promises'
import { Alerts } from '../../query-api/alerts/alerts.ts'
import type { AlertContext } from '../../query-api/alerts/context.ts'
import { alertId } from '../../query-api/alerts/matching.ts'
import type { AlertLease, AlertRows } from '../../query-api/alerts/rows/alert-rows.ts'
import type { Key } from '../../schemas/keys.ts'
import { type GivenAlerts, givenAlerts } from '../integration/alerts-given.ts'
import { Dice, hashOf, shareAt } from '../simulation/dice.ts'
import { until } from '../tools/until.ts'

export const BARS = [0.3, 0.5, 0.9] as const
export const PPM = 1_000_000
const ANSWERS = [200, 204, 204, 500, 429, 'cut'] as const
export const TERM_S = 30 * 86_400
/** Wall-clock time between two starts: 200 starts stay below the hour after which failing deliveries are given up (correctly). */
export const STEP_MS = 15_000
export const PARTITIONS = 2
const KEY_BYTES = 32
/** Mints in use at a time, and values of each. */
const MINTS = 6
const PER_MINT = 4
export const START_S = 1_700_000_000

/** What the parent sends to a delivering process. */
export interface AlertsProgress {
  /** Number of values. */
  readonly values: number
  readonly nowS: number
  readonly wallMs: number
}

export const mintOf = (mint: number): Key => Buffer.from(String(mint).padStart(KEY_BYTES, '0')).toString('latin1') as Key

export const valueAt = (seed: number, n: number) => {
  const share = (what: string): number => shareAt(hashOf(`${seed} ${what}`), n)
  const mint = Math.floor(n / (MINTS * PER_MINT)) * MINTS + Math.floor(share('mint') * MINTS)
  return { mint, ppm: Math.floor(share('ppm') * PPM), partition: mint % PARTITIONS, at: START_S + n }
}

export interface AlertsReport {
  readonly seed: number
  readonly kills: number
  readonly crossings: number
  readonly taken: number
  /** Duplicate deliveries of an id. */
  readonly repeated: number
  /** Crossings that never arrived and were given up after an hour of failures. */
  readonly givenUp: readonly string[]
  /** Other crossings that never arrived; received ids that are no crossing; received ids of events after the end of a term. */
  readonly lost: readonly string[]
  readonly strange: readonly string[]
  readonly late: readonly string[]
}

/** Rows of a process that can be killed: after `kill` nothing is written and no call returns. */
const mortal = (rows: AlertRows): { readonly rows: AlertRows; kill(): void } => {
  let isDead = false
  const alive = <T>(run: () => Promise<T>): Promise<T> => (isDead ? new Promise<T>(() => undefined) : run())
  const held = (lease: AlertLease): AlertLease => ({
    write: (changes) => alive(() => lease.write(changes)),
    renew: () => alive(() => lease.renew()),
    release: () => alive(() => lease.release()),
  })
  return {
    kill: () => {
      isDead = true
    },
    rows: {
      all: (table) => alive(() => rows.all(table)),
      add: (table, key, value) => alive(() => rows.add(table, key, value)),
      version: () => alive(() => rows.version()),
      acquireLease: () => alive(async () => (await rows.acquireLease().then((lease) => lease && held(lease))) ?? null),
    },
  }
}

/** Odds of a mint that reach the minimum of a subscription for the first time. */
interface Crossing {
  readonly id: string
  /** After the end of the term of the subscription. */
  readonly isLate: boolean
}

/** The crossings that must be delivered, derived from the rules independently of the product. */
class Owed {
  readonly #crossed = new Set<string>()
  readonly crossings: Crossing[] = []

  value(subscription: string, bar: number, mint: Key, ppm: number, isLate: boolean): void {
    const id = alertId(subscription, 'graduation_odds', { mint, findingId: null })
    if (ppm < bar * PPM || this.#crossed.has(id)) return
    this.#crossed.add(id)
    this.crossings.push({ id, isLate })
  }
}

/** The run is correct if `lost`, `strange` and `late` are empty. */
export const runAlerts = async (kills: number, seed: number): Promise<AlertsReport> => {
  const dice = new Dice(seed, 'alerts')
  const given = await givenAlerts()
  await given.alerts.close()
  const owed = new Owed()
  let process = born(given)
  try {
    const subscriptions: { readonly id: string; readonly bar: number }[] = []
    for (const bar of BARS) {
      const order = given.order({ min_odds: bar })
      const receipt = process.alerts.receipt(order, given.time.nowS)
      await process.alerts.begin(order, receipt)
      subscriptions.push({ id: receipt.subscription_id, bar })
    }
    const values = (count: number, from: number, isLate: boolean): void => {
      for (let n = 0; n < count; n++) {
        const mint = Buffer.from(String(from + dice.int(0, 5)).padStart(KEY_BYTES, '0')).toString('latin1') as Key
        const ppm = dice.int(0, PPM)
        given.odds.append({ mint, head: 'true_graduation', ppm, at: given.time.nowS }, dice.int(0, 1))
        for (const { id, bar } of subscriptions) owed.value(id, bar, mint, ppm, isLate)
      }
    }
    for (let kill = 0; kill < kills; kill++) {
      given.receiver.answer = dice.pick(ANSWERS)
      values(dice.int(1, 8), kill * 3, false)
      given.time.wallMs += STEP_MS
      given.time.nowS += 1
      process.alerts.wake()
      await pause(dice.int(0, 12))
      process.kill()
      process = born(given)
    }
    given.receiver.answer = 200
    const isDone = async (): Promise<boolean> => {
      given.time.wallMs += STEP_MS
      process.alerts.wake()
      return (await given.rows.all('done')).size >= owed.crossings.length
    }
    await until(isDone, { everyMs: 5 }).catch(() => undefined)
    given.time.nowS += TERM_S
    values(20, kills * 3 + 100, true)
    for (let turn = 0; turn < 8; turn++) {
      process.alerts.wake()
      await pause(10)
    }
    return { ...reportOf(owed.crossings, given.receiver.taken, await givenUpIn(given.rows)), seed, kills }
  } finally {
    await process.alerts.close()
    await given.receiver.close()
  }
}

const born = (given: GivenAlerts) => {
  const { rows, kill } = mortal(given.rows)
  const context: AlertContext = { ...given.ground, rows }
  const alerts = new Alerts(context)
  alerts.start()
  return { alerts, kill }
}

/** Ids given up because delivery failed; not those dropped because the queue was full (never tried) or a term ended. */
export const givenUpIn = async (rows: AlertRows): Promise<ReadonlySet<string>> => {
  const dead = [...(await rows.all('dead')).values()]
  return new Set(dead.filter(({ tries, reason }) => tries > 0 && reason !== 'subscription_ended').map(({ id }) => id))
}

export const reportOf = (crossings: readonly Crossing[], taken: readonly string[], givenUp: ReadonlySet<string>) => {
  const due = crossings.filter(({ isLate }) => !isLate).map(({ id }) => id)
  const late = new Set(crossings.filter(({ isLate }) => isLate).map(({ id }) => id))
  const arrived = new Set(taken)
  const known = new Set(crossings.map(({ id }) => id))
  return {
    ...{ crossings: due.length, taken: arrived.size, repeated: taken.length - arrived.size },
    givenUp: due.filter((id) => !arrived.has(id) && givenUp.has(id)),
    lost: due.filter((id) => !arrived.has(id) && !givenUp.has(id)),
    strange: [...arrived].filter((id) => !known.has(id)),
    late: [...arrived].filter((id) => late.has(id)),
  }
}
