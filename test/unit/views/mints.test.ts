// A view lists a mint as a launch as long as the mint has a launch row.
import { loadType } from '../../../schemas/avro.ts'
import { pageKey } from '../../../topology/engine/rows/state-type.ts'
import { Mints } from '../../../topology/views/mints.ts'
import { curveRow, key, launchRow, NOW_S } from '../query-api/given-mint.ts'

const state = loadType('mint-state')
const MINT = key(1)

test('lists a mint while it has a launch row, under the time of its current launch', () => {
  const mints = new Mints()
  const listed = (): string[] => [...mints.launches.since(0)]
  let offset = 0
  const put = (rows: object | null): void =>
    mints.put({ offset: offset++, key: pageKey(MINT, 0), value: rows === null ? null : state.toBuffer(rows) })
  put({ curve: curveRow() })
  expect(listed()).toEqual([])
  put({ launch: launchRow({ at: NOW_S }), curve: curveRow() })
  expect(listed()).toEqual([MINT])
  put({ launch: launchRow({ at: NOW_S + 5, number: 1_001 }), curve: curveRow() })
  expect([...mints.launches.since(NOW_S + 1)]).toEqual([MINT])
  put(null)
  expect(listed()).toEqual([])
})
