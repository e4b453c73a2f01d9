import type { Preparing } from '../../../topology/ports/chain-view.ts'
import { Front } from '../../../topology/views/front.ts'
import { MapRecords } from '../../fakes/map-records.ts'
import { MapView } from '../../fakes/map-view.ts'
import { key, liveState } from '../query-api/given-mint.ts'

const capture = (slot: number, nowMs: number) => {
  const view = Object.assign(new MapView(), { records: new MapRecords() })
  view.setStatus({ folded: { number: slot, time: slot } })
  view.put(key(slot), liveState())
  return { view, clock: { now: () => nowMs }, accounts: { read: async () => ({ ok: false as const, reason: `read at ${slot}` }) } }
}

test('a front over two captures sends every request to the one shown', async () => {
  const [early, full] = [capture(1, 1_000), capture(2, 2_000)]
  full.view.records.putCreator(key(9), { days: [], sells: [] } as never)
  const front = new Front(early, () => null)
  const seen = async () => ({
    slot: front.status().folded?.number,
    nowMs: front.now(),
    mints: [key(1), key(2)].map((mint) => front.get(mint) !== undefined),
    launches: [...front.launchesSince(0)].map(({ mint }) => mint),
    creator: front.creator(key(9)) !== undefined,
    accounts: await front.read(key(1)),
  })
  expect(await seen()).toEqual({
    ...{ slot: 1, nowMs: 1_000, mints: [true, false], launches: [key(1)], creator: false },
    accounts: { ok: false, reason: 'read at 1' },
  })
  front.show(full)
  expect(await seen()).toEqual({
    ...{ slot: 2, nowMs: 2_000, mints: [false, true], launches: [key(2)], creator: true },
    accounts: { ok: false, reason: 'read at 2' },
  })
})

test('the status of a running start shows its step', () => {
  let work: Preparing | null = { what: '6 h of history before the live part are written', share: 0.03 }
  const front = new Front(capture(1, 1_000), () => work)
  expect(front.status().preparing).toBe(work)
  work = null
  expect(front.status()).not.toHaveProperty('preparing')
})
