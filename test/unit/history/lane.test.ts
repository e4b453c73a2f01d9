// Which lookups of a lane begin, and when.
import type { HistoryClient } from '../../../topology/history/client.ts'
import { Lane, type Reader } from '../../../topology/history/lane.ts'
import { StoreHealth } from '../../../topology/history/store-health.ts'
import { pause } from '../../../topology/waiting/waiting.ts'
import { until } from '../../tools/until.ts'

const MS_MAX = 1_000
const CLIENT = { database: 'mintfold', close: async () => {} } as HistoryClient

/** A lane whose lookups end when `finish` is called, or when they are given up. */
const given = () => {
  const lane = new Lane(CLIENT, { lookupsMax: 2, waitingMax: 16 }, new StoreHealth())
  const stop = new AbortController()
  const begun: string[] = []
  const ends: (() => void)[] = []
  const read = (name: string) => (_reader: Reader) =>
    new Promise<string>((resolve) => {
      begun.push(name)
      ends.push(() => resolve(name))
    })
  return { begun, ends, ask: (name: string) => lane.ask(read(name), MS_MAX, stop.signal) }
}

test('a lookup begins only while it has at least half of its time left: else it is refused as busy', async () => {
  const { ask, begun, ends } = given()
  const first = [ask('a'), ask('b')]
  await pause(100)
  const late = ask('c')
  await pause(0.8 * MS_MAX)
  for (const end of ends) end()
  expect(await Promise.all(first)).toEqual([
    { ok: true, value: 'a' },
    { ok: true, value: 'b' },
  ])
  await until(() => begun.length === 3, { msMax: 200 }).catch(() => {})
  for (const end of ends) end()
  expect([begun, await late]).toEqual([['a', 'b'], expect.objectContaining({ ok: false, isBusy: true })])
})
test('a lookup that waited less gets the next connection', async () => {
  const { ask, begun, ends } = given()
  const all = [ask('a'), ask('b'), ask('c')]
  await pause(50)
  ends[0]?.()
  await until(() => begun.length === 3)
  for (const end of ends) end()
  expect((await Promise.all(all)).every(({ ok }) => ok)).toBe(true)
})
