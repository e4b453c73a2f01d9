// A client that reads flags in pages, with any pauses, receives every flag once and in chain order.

import fc from 'fast-check'
import { solana } from '../../processors/chains/solana/chain.ts'
import { detectors } from '../../processors/mint/detectors/index.ts'
import { Service } from '../../query-api/answers/service.ts'
import { FlagFeed } from '../../query-api/stream/feed.ts'
import { comparePositions } from '../../schemas/position.ts'
import { noCurves } from '../fakes/map-curves.ts'
import { MapRecords } from '../fakes/map-records.ts'
import { MapView } from '../fakes/map-view.ts'
import { fakeOdds } from '../fakes/odds.ts'
import { flagRow, key, liveState, NOW_S } from '../unit/query-api/given-mint.ts'

/** Flags by slot; block times follow slots, up to a few seconds back. */
const flags = fc.array(
  fc.record({ slot: fc.nat(8_000), tx: fc.nat(3), backS: fc.nat(20), isRetracted: fc.boolean(), count: fc.integer({ min: 1, max: 3 }) }),
  { maxLength: 30 },
)
const FIRST_S = NOW_S - 20_000

const serviceOf = (view: MapView, nowS: () => number): Service => {
  const clock = { now: () => nowS() * 1_000 }
  const texts = { source: 'test', baseUrl: 'http://127.0.0.1', version: '0' }
  return new Service({
    chain: solana,
    detectors,
    curves: noCurves(),
    ...{ view, records: new MapRecords(), ...fakeOdds(), clock, wallClock: clock, ...texts, questions: [], cursorKeys: [Buffer.alloc(32)] },
    ...{ sandbox: false, priceFactor: 1, charges: true, finalityOf: () => 'finalized' as const },
  })
}

test('returns every flag once, in order, over any pages, pauses and repeated visits', () => {
  fc.assert(
    fc.property(
      flags,
      fc.array(fc.record({ waitS: fc.nat(3_000), page: fc.integer({ min: 1, max: 4 }), comesBack: fc.boolean(), unsure: fc.nat(2_000) })),
      (all, steps) => {
        const view = new MapView()
        let nowS = FIRST_S
        all.forEach(({ slot, tx, backS, isRetracted, count }, index) => {
          const position = { number: slot, tx, firstSeenAt: FIRST_S + slot - (slot % 50 === 0 ? backS : 0) }
          const rows = Array.from({ length: count }, (_, n) => flagRow('curve_drained', { ...position, findingId: `${index}/${n}` }))
          view.put(key(index + 1), liveState({ flags: isRetracted ? [] : rows }))
          if (isRetracted)
            for (const { firstSeenAt: at, ...row } of rows)
              view.retract({ ...row, at, chain: 'solana', mint: key(index + 1), creator: null, mintAgeS: null })
        })
        const feed = new FlagFeed(serviceOf(view, () => nowS))
        const read: string[] = []
        let cursor = { number: -1, tx: 0, outer: 0, inner: 0, at: FIRST_S - 60 }
        const step = (entriesMax: number, unsure: number): number => {
          view.setStatus({ folded: { number: nowS - FIRST_S, time: nowS }, tip: null })
          const confirmed = nowS - FIRST_S - unsure
          view.sure({ confirmed, finalized: -1 })
          const { entries, cursor: next } = feed.after(cursor, entriesMax)
          for (const { record } of entries) {
            expect(record.at).toBeLessThanOrEqual(nowS - 300)
            expect(record.number).toBeLessThanOrEqual(confirmed)
            read.push(record.findingId)
          }
          cursor = next
          return entries.length
        }
        for (const { waitS, page, comesBack, unsure } of [...steps, { waitS: 9_000, page: 2, comesBack: true, unsure: 0 }]) {
          nowS += waitS
          step(page, unsure)
          if (comesBack && cursor.number >= 0) cursor = feed.resume(cursor) ?? cursor
        }
        while (step(3, 0) > 0) {}
        const sightings = [...view.flagsSince(0), ...view.retractedFlags()].sort(comparePositions)
        expect([...read].sort()).toEqual(sightings.map(({ findingId }) => findingId).sort())
        const positionOf = new Map(sightings.map((record) => [record.findingId, record]))
        const positions = read.map((id) => positionOf.get(id))
        for (let n = 1; n < positions.length; n++)
          expect(comparePositions(positions[n - 1] as never, positions[n] as never)).toBeLessThanOrEqual(0)
      },
    ),
    { numRuns: 100 },
  )
})
