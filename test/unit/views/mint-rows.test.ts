import { loadType, readSchema } from '../../../schemas/avro.ts'
import { stateTypeOf } from '../../../topology/engine/rows/state-type.ts'
import { MintRowsByKey } from '../../../topology/views/mint-rows.ts'
import { reportTorn } from '../../../topology/views/torn.ts'
import { key } from '../../fixtures/demo-bytes-story.ts'
import { TOPICS } from '../../fixtures/topics.ts'
import { buffersHeldBy } from '../../tools/memory.ts'

const schema = readSchema('mint-state')
const state = loadType('mint-state')
const page = (): Buffer => state.toBuffer({})
const HOLDER = { units: 5, bundleUnits: 0, bundleSoldUnits: 0, firstBuyNumber: 1, firstBuyTx: 1, lastBuyAt: 1, roles: 0 }
const STUB = { reason: '', launchAt: 1, lastNumber: 1, forgottenAt: 1, flags: '' }

test('rows are readable at every step while pages of a changelog arrive out of order', () => {
  const rows = new MintRowsByKey(stateTypeOf(schema))
  for (const [offset, at] of [2, 0, 1].entries()) {
    const snapshot = rows.put(key('mint'), at, page(), offset)
    expect(snapshot?.state.launch).toBeNull()
  }
  expect(rows.get(key('mint'))?.version).toBe(2)
})

test('rows of which the changelog has lost a page are not shown, and are reported', () => {
  const rows = new MintRowsByKey(stateTypeOf(schema))
  for (const at of [0, 1, 3]) rows.put(key('torn'), at, page(), at)
  rows.put(key('headless'), 1, page(), 7)
  rows.put(key('whole'), 0, page(), 8)
  expect(['torn', 'headless', 'whole'].map((name) => rows.get(key(name)) === undefined)).toEqual([true, true, false])
  const notices: unknown[] = []
  reportTorn((...notice) => notices.push(notice), TOPICS.mintChangelog, rows.torn())
  const hex = Buffer.from(key('torn'), 'latin1').toString('hex')
  expect(notices).toEqual([['view_rows_torn', { topic: 'mint.changelog', key: hex, page: 2, keys: 2 }]])
  rows.put(key('torn'), 2, page(), 9)
  rows.put(key('headless'), 1, null, 10)
  expect([rows.get(key('torn'))?.version, rows.torn()]).toEqual([9, undefined])
})

test('rows of several pages name their wallets without being decoded', () => {
  const rows = new MintRowsByKey(stateTypeOf(schema))
  rows.put(
    key('mint'),
    1,
    new Uint8Array(state.toBuffer({ holders: [{ ...HOLDER, wallet: key('second page'), givenBy: null, funder: null }] })),
    0,
  )
  const snapshot = rows.put(
    key('mint'),
    0,
    state.toBuffer({ holders: [{ ...HOLDER, wallet: key('first page'), givenBy: null, funder: null }] }),
    1,
  )
  const named = ['first page', 'second page', 'nobody'].filter((name) => snapshot?.mentions(Buffer.from(key(name), 'latin1')))
  expect(named).toEqual(['first page', 'second page'])
})

test('pages inside a fetch buffer do not keep the rest of that buffer in memory', () => {
  const rows = new MintRowsByKey(stateTypeOf(schema))
  const { bytes } = buffersHeldBy(() => {
    for (let n = 0; n < 500; n++) {
      const answer = Buffer.allocUnsafeSlow(32_768)
      page().copy(answer, 1_000)
      rows.put(key(`mint ${n}`), 0, answer.subarray(1_000, 1_000 + page().length), n)
    }
    return rows
  })
  expect(bytes).toBeLessThan(1_000_000)
  expect(rows.get(key('mint 7'))?.state.launch).toBeNull()
})

test('decoded rows are bounded by their bytes, and replaced versions do not count', () => {
  const rows = new MintRowsByKey(stateTypeOf(schema))
  const named = (name: string): Buffer => state.toBuffer({ holders: [{ ...HOLDER, wallet: key(name), givenBy: null, funder: null }] })
  const large = state.toBuffer({ stub: { ...STUB, outcome: 'x'.repeat(1_000_000) } })
  for (let n = 0; n < 20; n++) expect(rows.put(key(`mint ${n}`), 0, large, n)?.state.stub?.outcome).toHaveLength(1_000_000)
  expect(rows.decodedBytes).toBeLessThanOrEqual(8 * 1024 * 1024)
  const before = rows.put(key('mint 0'), 0, named('before'), 20)
  const after = rows.put(key('mint 0'), 0, named('after'), 21)
  const held = rows.decodedBytes
  expect(before?.state.holders[0]?.wallet).toBe(key('before'))
  expect(rows.decodedBytes).toBe(held)
  expect(after?.state.holders[0]?.wallet).toBe(key('after'))
  expect(rows.decodedBytes).toBeGreaterThan(held)
  for (let n = 0; n < 20; n++) rows.put(key(`mint ${n}`), 0, null, 30 + n)
  expect([rows.decodedBytes, rows.size]).toEqual([0, 0])
})

test('launch and curve of a mint with many pages are read from the first page only', () => {
  const type = stateTypeOf(schema)
  const decoded: Uint8Array[] = []
  const counting = {
    ...type,
    decode: (bytes: Uint8Array) => {
      decoded.push(bytes)
      return type.decode(bytes)
    },
  }
  const rows = new MintRowsByKey(counting)
  const first = state.toBuffer({ stub: { reason: 'silent', launchAt: 5, lastNumber: 1, forgottenAt: 2, flags: '', outcome: null } })
  for (let at = 1; at <= 1_000; at++) rows.put(key('mint'), at, page(), at)
  const snapshot = rows.put(key('mint'), 0, first, 0)
  expect(snapshot?.head.stub?.launchAt).toBe(5)
  expect(decoded).toEqual([first])
  expect(snapshot?.state.stub?.launchAt).toBe(5)
  expect(decoded).toHaveLength(1 + 1_001)
})
