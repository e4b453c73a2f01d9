import { loadType, readSchema } from '../../../schemas/avro.ts'
import { stateTypeOf } from '../../../topology/engine/state-type.ts'
import { MintRowsByKey } from '../../../topology/views/mint-rows.ts'
import { key } from '../../fixtures/demo-bytes-story.ts'

const schema = readSchema('mint-state')
const state = loadType('mint-state')
const page = (): Buffer => state.toBuffer({})

test('given pages that come out of order while a changelog is read, then the rows that are there can be read at every step', () => {
  const rows = new MintRowsByKey(stateTypeOf(schema, state))
  for (const [offset, at] of [2, 0, 1].entries()) {
    const snapshot = rows.put(key('mint'), at, page(), offset)
    expect(snapshot?.state.launch).toBeNull()
  }
  expect(rows.get(key('mint'))?.version).toBe(2)
})

test('given rows of several pages, then they tell which wallets they name, without being decoded', () => {
  const rows = new MintRowsByKey(stateTypeOf(schema, state))
  const holder = { units: 5, bundleUnits: 0, bundleSoldUnits: 0, firstBuyNumber: 1, firstBuyTx: 1, lastBuyAt: 1, roles: 0 }
  rows.put(
    key('mint'),
    1,
    new Uint8Array(state.toBuffer({ holders: [{ ...holder, wallet: key('second page'), givenBy: null, funder: null }] })),
    0,
  )
  const snapshot = rows.put(
    key('mint'),
    0,
    state.toBuffer({ holders: [{ ...holder, wallet: key('first page'), givenBy: null, funder: null }] }),
    1,
  )
  const named = ['first page', 'second page', 'nobody'].filter((name) => snapshot?.mentions(Buffer.from(key(name), 'latin1')))
  expect(named).toEqual(['first page', 'second page'])
})

test('given a mint of many pages, then its launch and curve are read off the first page alone', () => {
  const type = stateTypeOf(schema, state)
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
