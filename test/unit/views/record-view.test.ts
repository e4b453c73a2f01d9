// Rows of creators and wallets from their changelogs.
import { readSchema } from '../../../schemas/avro.ts'
import type { CreatorState, WalletState } from '../../../schemas/types.ts'
import { pageKey, stateTypeOf } from '../../../topology/engine/rows/state-type.ts'
import { RecordRows } from '../../../topology/views/record-view.ts'
import { Creator, launched, mintOf } from '../processors/creator/creator-given.ts'
import { T0 } from '../processors/mint/market.ts'
import { key } from '../query-api/given-mint.ts'

const bytesOf = (schema: 'creator-state' | 'wallet-state', state: object): Buffer =>
  stateTypeOf(readSchema(schema)).encode(state as Record<string, unknown>)
const record = (byte: number, offset: number, value: Uint8Array | null, page = 0) => ({ offset, key: pageKey(key(byte), page), value })

const creator = new Creator().receive(T0, [1, launched(T0)], [2, launched(T0)]).state
const wallet: WalletState = {
  payments: [{ n: 0, funder: key(9), amountLamports: 5, at: T0, number: 1, tx: 2, outer: 0, inner: 0 }],
  figures: { payments: 1, lastAt: T0 },
  timers: [],
}

test('rows of a creator and of a wallet under one key each have the newest value of their changelog', () => {
  const rows = new RecordRows()
  rows.putCreator(record(1, 3, bytesOf('creator-state', creator)))
  rows.putWallet(record(1, 5, bytesOf('wallet-state', wallet)))
  expect(rows.creator(key(1))).toMatchObject({ version: 3, state: creator })
  expect(rows.wallet(key(1))).toMatchObject({ version: 5, state: wallet })
  rows.putWallet(record(1, 6, bytesOf('wallet-state', { ...wallet, payments: [] })))
  expect(rows.wallet(key(1))?.state.payments).toEqual([])
  expect([rows.creator(key(2)), rows.wallet(key(2))]).toEqual([undefined, undefined])
})

test('rows on two pages are joined; a tombstone removes them', () => {
  const rows = new RecordRows()
  const [first, second] = creator.launches
  const pages: CreatorState[] = [
    { ...creator, launches: [first as NonNullable<typeof first>] },
    { ...creator, figures: null, days: [], changes: [], launches: [second as NonNullable<typeof second>] },
  ]
  for (const [page, state] of pages.entries()) rows.putCreator(record(1, page, bytesOf('creator-state', state), page))
  expect(rows.creator(key(1))?.state).toEqual(creator)
  for (const page of [1, 0]) rows.putCreator(record(1, 7, null, page))
  expect([rows.creator(key(1)), rows.size]).toEqual([undefined, { creators: 0, wallets: 0 }])
})

test('rows survive if their input bytes are overwritten, as a read buffer may be', () => {
  const rows = new RecordRows()
  const value = bytesOf('wallet-state', wallet)
  rows.putWallet(record(1, 1, value))
  value.fill(0)
  expect(rows.wallet(key(1))?.state).toEqual(wallet)
})

test('rows beyond the decoded cache can still be read', () => {
  const rows = new RecordRows()
  const all = Array.from({ length: 600 }, (_, n) => n)
  const put = (n: number): void =>
    rows.putWallet({
      offset: n,
      key: pageKey(mintOf(n), 0),
      value: bytesOf('wallet-state', { ...wallet, figures: { payments: n, lastAt: T0 } }),
    })
  for (const n of all) put(n)
  for (const n of [...all, ...all]) expect(rows.wallet(mintOf(n))?.state.figures?.payments).toBe(n)
})
