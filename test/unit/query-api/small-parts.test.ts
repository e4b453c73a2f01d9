import fc from 'fast-check'
import { linksText } from '../../../query-api/answers/cards/links.ts'
import { EvidenceCache } from '../../../query-api/answers/evidence-cache.ts'
import { feedOf, isStale } from '../../../query-api/answers/feed.ts'
import { nearest } from '../../../query-api/questions/nearest.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { MintSnapshot } from '../../../topology/ports/mint-view.ts'
import { MapView } from '../../fakes/map-view.ts'
import { base58, key, liveState, NOW_S } from './given-mint.ts'

describe('feed', () => {
  const view = new MapView()
  test('before the first frame everything is unknown and stale', () => {
    const feed = feedOf(view.status(), NOW_S * 1000)
    expect(feed).toEqual({
      ...{ nowMs: NOW_S * 1000, lastSlot: null, slotsBehind: null },
      ...{ feedLagS: null, feedLagReason: 'no frame of the chain was applied yet' },
      ...{ chainLagS: null, chainLagReason: 'the source has not sent a frame yet' },
    })
    expect(isStale(feed, 30)).toBe(true)
  })
  test('lags are relative to the clock and the newest ticks', () => {
    view.setStatus({ folded: { number: 97, time: NOW_S - 4 }, tip: { number: 100, time: NOW_S - 1 } })
    const feed = feedOf(view.status(), NOW_S * 1000 + 250)
    expect(feed).toMatchObject({ feedLagS: 4.25, chainLagS: 1.25, lastSlot: 97, slotsBehind: 3 })
  })
  test('stale begins above the limit, not at it', () => {
    view.setStatus({ folded: { number: 97, time: NOW_S } })
    expect(isStale(feedOf(view.status(), NOW_S * 1000 + 30_000), 30)).toBe(false)
    expect(isStale(feedOf(view.status(), NOW_S * 1000 + 30_001), 30)).toBe(true)
  })
  test('a tick ahead of the clock gives no negative lag', () => {
    expect(feedOf(view.status(), NOW_S * 1000 - 5_000).feedLagS).toBe(0)
  })
})

describe('evidence cache', () => {
  const snapshot = (byte: number, version: number) => ({
    mint: key(byte),
    version,
    state: liveState(),
    head: liveState(),
    mentions: () => false,
  })
  const mintOf = ({ mint }: MintSnapshot): Key => mint
  const counted = (charsMax: number, chars = 10) => {
    const built: string[] = []
    const cache = new EvidenceCache(charsMax, mintOf, (at, { asOf, gap }) => {
      built.push(`${at.version}/${asOf}/${gap?.to ?? '-'}`)
      return { text: 'x'.repeat(chars) }
    })
    return { cache, built }
  }

  test('builds once for the same rows, second and gap', () => {
    const { cache, built } = counted(1_000)
    const first = cache.get(snapshot(1, 7), { asOf: 5, gap: null })
    expect(cache.get(snapshot(1, 7), { asOf: 5, gap: null })).toBe(first)
    expect(built).toEqual(['7/5/-'])
  })
  test('builds again when any of the three changes', () => {
    const { cache, built } = counted(1_000)
    cache.get(snapshot(1, 7), { asOf: 5, gap: null })
    cache.get(snapshot(1, 8), { asOf: 5, gap: null })
    cache.get(snapshot(1, 8), { asOf: 6, gap: null })
    cache.get(snapshot(1, 8), { asOf: 6, gap: { from: 1, to: 2 } })
    cache.get(snapshot(1, 8), { asOf: 6, gap: { from: 0, to: 2 } })
    expect(built).toEqual(['7/5/-', '8/5/-', '8/6/-', '8/6/2', '8/6/2'])
    expect(cache.chars).toBe(10)
  })
  test('evicts the least recently used entry', () => {
    const { cache, built } = counted(30)
    for (const byte of [1, 2, 3]) cache.get(snapshot(byte, byte), { asOf: 5, gap: null })
    cache.get(snapshot(1, 1), { asOf: 5, gap: null })
    cache.get(snapshot(4, 4), { asOf: 5, gap: null })
    cache.get(snapshot(1, 1), { asOf: 5, gap: null })
    cache.get(snapshot(2, 2), { asOf: 5, gap: null })
    expect(built.map((text) => text[0])).toEqual(['1', '2', '3', '4', '2'])
  })
  test('never exceeds its limit', () => {
    const asks = fc.array(fc.record({ byte: fc.integer({ min: 0, max: 9 }), version: fc.integer({ min: 0, max: 3 }) }))
    fc.assert(
      fc.property(asks, (all) => {
        const cache = new EvidenceCache(35, mintOf, ({ version }) => ({ text: 'x'.repeat(5 * (version + 1)) }))
        for (const { byte, version } of all) {
          const { text } = cache.get(snapshot(byte, version), { asOf: 1, gap: null })
          expect(text.length).toBe(5 * (version + 1))
          expect(cache.chars).toBeLessThanOrEqual(35)
        }
      }),
    )
  })
  test('a single text above the limit is still returned', () => {
    const { cache } = counted(5, 50)
    expect(cache.get(snapshot(1, 1), { asOf: 5, gap: null }).text.length).toBe(50)
  })
})

describe('nearest', () => {
  const paths = ['/v1/mint/{mint}', '/v1/launches/recent', '/health']
  test.each([
    ['/helth', '/health'],
    ['/v1/launch/recent', '/v1/launches/recent'],
    ['/haelth', '/health'],
    ['/v1/launches', '/v1/launches/recent'],
    ['/HEALTH/', undefined],
    ['/wp-admin/setup.php', undefined],
    ['', undefined],
    ['/health'.repeat(20), undefined],
  ])('%j is near %j', (word, near) => {
    expect(nearest(word, paths)).toBe(near)
  })
})

test('swapped characters are one edit', () => {
  expect(nearest('byu', ['up', 'dev', 'buy'])).toBe('buy')
})

describe('links', () => {
  const all = ['creator', 'regime', 'rugs'] as const
  test('name the served routes', () => {
    expect(JSON.parse(linksText(all, base58(1), () => true))).toEqual({
      creator: `/v1/creator/${base58(1)}`,
      regime: '/v1/market/regime',
      rugs: '/v1/rugs/recent',
    })
  })
  test('are null with a reason for routes that are not served', () => {
    expect(JSON.parse(linksText(all, base58(1), () => false))).toEqual({
      creator: null,
      regime: null,
      rugs: null,
      creator_reason: 'this version does not serve the route yet',
      regime_reason: 'this version does not serve the route yet',
      rugs_reason: 'this version does not serve the route yet',
    })
  })
  test('state that no launching wallet is known', () => {
    const links = JSON.parse(linksText(all, null, () => true))
    expect(links).toMatchObject({ creator: null, creator_reason: 'the launching wallet is not known', regime: '/v1/market/regime' })
  })
})
