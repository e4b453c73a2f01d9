// A small run of `npm run soak -- alerts-fair`, and what is behind it when the processor is busy.
import { once } from 'node:events'
import { alertLimits } from '../../query-api/alerts/limits.ts'
import type { AlertLease, AlertRows } from '../../query-api/alerts/rows/alert-rows.ts'
import type { Sender } from '../../query-api/alerts/target/sender.ts'
import type { Key } from '../../schemas/keys.ts'
import { isFair, runAlertsFair } from '../soak/alerts-fair.ts'
import { eventually, quiet } from './alerts-checks.ts'
import { givenAlerts, memoryRows } from './alerts-given.ts'

test('dead and slow targets do not delay the alerts of an honest subscriber: its p99 stays below twice its p99 without them', async () => {
  const report = await runAlertsFair({ dead: 20, slow: 20, rounds: 1, flags: 60, everyMs: 80, seed: 7 })
  expect({ ...report, isFair: isFair(report) }).toMatchObject({ isFair: true, crowded: { alerts: 60 } })
  expect(report.requests.dead).toBeGreaterThan(0)
})

/** Alerts that each target gets first: then a target that never answers has all the requests that it may have. */
const WARM = 2
const CROWD = 100
const EVENTS = 20

/** A quick target and a crowd that never answers, all with their first alerts. `onQuick` is called with each request to the quick one. */
const givenCrowd = async (onQuick: (log: (n: number) => void, nth: number) => void = () => undefined) => {
  const sent = { all: 0, quick: 0 }
  let stopped: Promise<unknown> | undefined
  const sender: Sender = {
    send: async ({ url }, stop) => {
      sent.all += 1
      stopped ??= once(stop, 'abort')
      if (!url.endsWith('/quick')) await stopped
      else onQuick(log, ++sent.quick)
      return { kind: 'delivered', body: '' }
    },
    close: async () => undefined,
  }
  /** How many alerts the quick target had at the end of each page of the feed. */
  const atEnds: number[] = []
  const rows = noting(memoryRows(), () => atEnds.push(sent.quick))
  const given = await givenAlerts({ rows, openSender: () => sender })
  const log = (n: number) => void given.odds.append({ mint: mintOf(n), head: 'true_graduation', ppm: 900_000, at: given.time.nowS })
  const soon = (holds: () => boolean) => eventually(() => given, holds)
  for (let n = 0; n < CROWD; n++) await given.buy({ url: `http://127.0.0.1:${20_000 + n}/never` })
  await given.buy({ url: 'http://127.0.0.1:30000/quick' })
  for (let n = 0; n < WARM; n++) log(n)
  await soon(() => sent.all === WARM * (CROWD + 1))
  await quiet(given)
  /** Logs events in one page; resolves to the alerts that the quick target had at its end. */
  const page = async (): Promise<number | undefined> => {
    atEnds.length = 0
    for (let n = 0; n < EVENTS; n++) log(WARM + n)
    await soon(() => atEnds.length > 0)
    return atEnds[0]
  }
  return { page, close: () => given.close() }
}

describe('while the alerts of a crowd are being made, a quick target', () => {
  test('gets its alerts, two at a time', async () => {
    const { page, close } = await givenCrowd()
    try {
      expect(await page()).toBe(WARM + EVENTS)
    } finally {
      await close()
    }
  })

  test('gets those of newer events too', async () => {
    const { page, close } = await givenCrowd((log, nth) => nth === WARM + 4 && log(WARM + EVENTS))
    const poll = jest.replaceProperty(alertLimits, 'pollMs', 0 as never)
    try {
      expect(await page()).toBe(WARM + EVENTS + 1)
    } finally {
      poll.restore()
      await close()
    }
  })
})

const mintOf = (n: number): Key => Buffer.from(String(n).padStart(32, '0')).toString('latin1') as Key

/** Rows that tell when the position of a feed is written. */
const noting = (rows: AlertRows, onPosition: () => void): AlertRows => {
  const acquireLease = async (): Promise<AlertLease | null> => {
    const lease = await rows.acquireLease()
    if (lease === null) return null
    const write: AlertLease['write'] = (changes) => {
      if (changes.some(([table]) => table === 'progress')) onPosition()
      return lease.write(changes)
    }
    return { write, renew: () => lease.renew(), release: () => lease.release() }
  }
  return {
    all: (table) => rows.all(table),
    add: (table, key, value) => rows.add(table, key, value),
    version: () => rows.version(),
    acquireLease,
  }
}
