// Sums over the holders of a mint, and insiders in one order, whatever the order of the rows.
import { holdingsOf } from '../../../../processors/mint/fold/holdings.ts'
import { ROLE_RECEIVED } from '../../../../processors/mint/rows.ts'
import { holderRow, key, liveState } from '../../query-api/given-mint.ts'

test('insiders are sorted by holdings, then by wallet', () => {
  const row = (n: number, units: number) => holderRow(key(n), units, { roles: ROLE_RECEIVED })
  const rows = [row(5, 10), row(3, 10), row(9, 20), row(4, 10)]
  for (const holders of [rows, rows.toReversed()]) {
    const { insiders, insiderUnits } = holdingsOf(liveState({ holders }))
    expect(insiders.map(({ wallet }) => wallet)).toEqual([key(9), key(3), key(4), key(5)])
    expect(insiderUnits).toBe(50)
  }
})
