// A purchase asks for the same record several times: the store is asked once.
import { Recent } from '../../../topology/history/recent.ts'
import { key } from '../query-api/given-mint.ts'

test('an answer is reused, a missed query is asked again', async () => {
  const recent = new Recent<number>()
  const busy = { ok: false as const, reason: 'busy', isBusy: true as const }
  const answers = [busy, { ok: true as const, value: 7 }]
  let asked = 0
  const ask = () => recent.get(key(1), async () => answers[asked++] ?? { ok: true, value: 8 })
  expect([await ask(), await ask(), await ask(), asked]).toEqual([busy, { ok: true, value: 7 }, { ok: true, value: 7 }, 2])
  expect(await recent.get(key(2), async () => ({ ok: true, value: 9 }))).toEqual({ ok: true, value: 9 })
})
