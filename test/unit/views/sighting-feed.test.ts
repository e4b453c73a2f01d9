// Migrations from a topic of conclusions, and the effect of forks and rebuilds.
import { solana } from '../../../processors/chains/solana/chain.ts'
import { conclusionCodec } from '../../../schemas/codecs.ts'
import { outputId, tickOf } from '../../../schemas/position.ts'
import type { Conclusion } from '../../../schemas/types.ts'
import type { MigrationRecord } from '../../../topology/ports/mint-view.ts'
import { FlagRecordFeed } from '../../../topology/views/status/sighting-feed.ts'
import { migrationOf } from '../../../topology/views/status/sightings.ts'
import { outcome } from '../../integration/sink-figures-given.ts'
import { key } from '../query-api/given-mint.ts'

const T0 = 1_790_000_000
const conclusion = (number: number, hash8: string, body: object): Conclusion =>
  ({ id: `${number}@${hash8}`, chain: 'solana', number, tx: 1, outer: 0, inner: 0, hash8, at: T0 + number, body }) as Conclusion
const step = (number: number, hash8 = 'a', change: object = {}): Conclusion =>
  conclusion(number, hash8, {
    type: 'transition',
    mint: key(1),
    creator: key(2),
    t0: T0,
    slot0: 1,
    step: 'migrated_graduated',
    graduated: true,
    peakQuoteUnits: 85_000_000_000,
    quoteMint: null,
    pool: key(3),
    ...change,
  })
const retraction = (number: number, hash8: string): Conclusion => {
  const id = outputId(tickOf('solana', number), hash8, 'retraction', '0', 9)
  return { ...conclusion(number, hash8, { type: 'retraction', sequence: 9 }), ...tickOf('solana', number), id }
}
const revision = (withdrawn: Conclusion | null, now: Conclusion | null): Conclusion => {
  const [gone, replacement] = [withdrawn, now].map((one) => one && conclusionCodec.encode(one))
  return conclusion(1, 'a', { type: 'revision', revision: 1, withdrawn: gone, said: replacement })
}

const given = (...conclusions: readonly Conclusion[]): FlagRecordFeed<MigrationRecord> => {
  const feed = new FlagRecordFeed({
    keepS: 86_400,
    keepMax: 100,
    form: solana.conclusions,
    read: migrationOf,
    idOf: ({ id }: MigrationRecord) => id,
  })
  for (const [offset, one] of conclusions.entries()) feed.put({ offset, key: Buffer.alloc(0), value: conclusionCodec.encode(one) }, 0)
  return feed
}
const idsOf = (feed: FlagRecordFeed<MigrationRecord>): string[] => Array.from(feed.since(0), ({ id }) => id)

test('migrations are listed newest first; other steps and outcomes are skipped', () => {
  const complete = step(6, 'a', { step: 'curve_complete', pool: null })
  const feed = given(step(5), complete, outcome(1, T0, T0 + 7, {}), step(8))
  expect(idsOf(feed)).toEqual(['8@a', '5@a'])
  expect([...feed.since(0)][1]).toEqual({
    mint: key(1),
    creator: key(2),
    id: '5@a',
    at: T0 + 5,
    graduated: true,
    peakQuoteUnits: 85_000_000_000,
    quoteMint: null,
    pool: key(3),
    chain: 'solana',
    number: 5,
    tx: 1,
    outer: 0,
    inner: 0,
  })
})
test('a migration retracted by a fork is removed, and returns with its branch', () => {
  const forked = [step(5), step(6), retraction(6, 'a')]
  expect(idsOf(given(...forked))).toEqual(['5@a'])
  expect(given(...forked).retracted('6@a')?.number).toBe(6)
  expect(idsOf(given(...forked, step(6, 'b')))).toEqual(['6@b', '5@a'])
  expect(idsOf(given(...forked, step(6, 'b'), retraction(6, 'b'), step(6)))).toEqual(['6@a', '5@a'])
})
test('a revision of a rebuild replaces the withdrawn one', () => {
  const feed = given(step(5), step(6), revision(step(6), step(6, 'a', { graduated: null })), revision(step(5), null))
  expect([...feed.since(0)]).toMatchObject([{ id: '6@a', graduated: null }])
  expect([feed.published, feed.retracted('5@a')?.id, feed.retracted('6@a')]).toEqual([1, '5@a', undefined])
})
test('bytes that are not a conclusion change nothing', () => {
  const feed = given(step(5))
  for (const value of [null, Buffer.from('nothing')]) feed.put({ offset: 9, key: Buffer.alloc(0), value }, 0)
  expect(idsOf(feed)).toEqual(['5@a'])
})
