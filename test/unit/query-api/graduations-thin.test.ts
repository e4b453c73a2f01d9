// A graduation of a coin whose launch was not observed: its holders are null because its rows are not kept.

import { harness } from '../../integration/api-harness.ts'
import { CREATOR, curveRow, key, liveState, NOW_S } from './given-mint.ts'

test('rows without a launch and no rows at all give the same reason', async () => {
  const reasons: unknown[] = []
  for (const state of [undefined, liveState({ launch: null, curve: curveRow({ migratedAt: NOW_S - 9 }) }), liveState({ curve: null })]) {
    const api = harness()
    api.view.migrated({
      ...{ mint: key(1), creator: CREATOR, id: 'm1', at: NOW_S - 100, graduated: true, peakQuoteUnits: 85_000_000_000, quoteMint: null },
      ...{ pool: key(77), chain: 'solana', number: 1_001, tx: 2, outer: 1, inner: 0 },
    })
    if (state !== undefined) api.view.put(key(1), state)
    const { body } = await api.paid('/v1/graduations/recent')
    reasons.push(body.data.items[0].holders, body.data.items[0].holders_reason)
  }
  expect(reasons).toEqual([null, reasons[1], null, reasons[1], null, reasons[1]])
  expect(reasons[1]).toEqual(expect.stringMatching(/./))
})
