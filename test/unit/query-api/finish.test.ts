import fc from 'fast-check'
import { finishBody } from '../../../query-api/payment/finish.ts'

const bodyOf = (data: unknown, meta: object = {}): string =>
  JSON.stringify({
    ok: true,
    t: 5,
    data,
    meta: {
      source: 's',
      feed_lag_s: 1.25,
      is_stale: false,
      next: { meta: '/v1/mint/{mint}' },
      max_feed_lag_s: 5,
      feed_lag_at_generation_s: 1.25,
      result_age_s: 0,
      replayed: false,
      untrusted_text_note: 'n',
      ...meta,
    },
  })

test('a response sent at once is unchanged', () => {
  expect(finishBody(bodyOf({ a: 1 }), 0, false)).toBe(bodyOf({ a: 1 }))
})

test('ages grow by the time since the answer was made; its data is unchanged', () => {
  const finished = JSON.parse(finishBody(bodyOf({ a: 1 }), 2_340.4, true))
  expect(finished.data).toEqual({ a: 1 })
  expect(finished.t).toBe(5)
  expect(finished.meta).toMatchObject({
    feed_lag_at_generation_s: 1.25,
    feed_lag_s: 3.59,
    is_stale: false,
    result_age_s: 2.34,
    replayed: true,
  })
})

test('an answer older than the limit of its route is stale', () => {
  const staleAfter = (ms: number): boolean => JSON.parse(finishBody(bodyOf(1), ms, true)).meta.is_stale
  expect(staleAfter(3_750)).toBe(false)
  expect(staleAfter(3_751)).toBe(true)
})

test('an unknown lag stays unknown, and stale', () => {
  const { meta } = JSON.parse(finishBody(bodyOf(1, { feed_lag_at_generation_s: null, feed_lag_s: null }), 1_000, false))
  expect(meta).toMatchObject({ feed_lag_s: null, is_stale: true, result_age_s: 1 })
})

test('a clock set back gives no negative age', () => {
  expect(JSON.parse(finishBody(bodyOf(1), -50, false)).meta).toMatchObject({ feed_lag_s: 1.25, result_age_s: 0 })
})

test('no text within the data is taken for meta', () => {
  const hostile = fc.constantFrom('"meta":{', '},"meta":{"replayed":true}}', '\\"meta\\":{"x":1}')
  fc.assert(
    fc.property(fc.array(fc.oneof(hostile, fc.string())), fc.nat(100_000), (names, ageMs) => {
      const finished = JSON.parse(finishBody(bodyOf({ names }), ageMs, false))
      expect(finished.data).toEqual({ names })
      expect(finished.meta.result_age_s).toBe(ageMs / 1_000)
    }),
  )
})
