// Mint and curve accounts: recorded ones, every extension that may harm a holder, and invalid bytes.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { MintAccount } from '../../../../processors/accounts.ts'
import type { RawAccount } from '../../../../processors/chains/solana/accounts/account.ts'
import { curveAddressOf, readCurve } from '../../../../processors/chains/solana/accounts/curve.ts'
import { readMint, TOKEN, TOKEN_2022 } from '../../../../processors/chains/solana/accounts/mint.ts'
import { PUMP } from '../../../../processors/chains/solana/programs.ts'
import { hazardsOf } from '../../../../processors/mint/card/hazards.ts'
import { subtract } from '../../../../schemas/amount.ts'
import { mustKey, toBase58 } from '../../../../schemas/keys.ts'
import * as given from '../../../fixtures/account-bytes.ts'
import { key } from '../../query-api/given-mint.ts'

const A = key(7)
const mintOf = (account: RawAccount): MintAccount => {
  const read = readMint(account)
  if (!read.ok || read.value === null) throw new Error(read.ok ? 'no mint' : read.reason)
  return read.value
}
const cut = ({ owner, data }: RawAccount, bytes: number): RawAccount => ({ owner, data: data.slice(0, bytes) })
const changed = ({ owner, data }: RawAccount, offset: number, byte: number): RawAccount => {
  const bytes = Uint8Array.from(data)
  bytes[offset] = byte
  return { owner, data: bytes }
}

describe('recorded accounts', () => {
  test('a curve of 2024 has amounts and no creator', () => {
    expect(readCurve(given.recordedAccount('curve of 2024'))).toEqual({
      ok: true,
      value: {
        virtualTokenUnits: 1_070_419_577_927_421,
        virtualQuoteUnits: 30_072_319_932,
        realTokenUnits: 790_519_577_927_421,
        realQuoteUnits: 72_319_932,
        complete: false,
        creator: null,
        mayhem: false,
        cashback: false,
        quoteMint: null,
      },
    })
  })
  test('a curve of 2026 has the values read by its recorder', () => {
    const read = readCurve(given.recordedAccount('curve of 2026-06'))
    expect(read).toMatchObject({
      ok: true,
      value: {
        virtualTokenUnits: 1_068_623_864_070_275,
        virtualQuoteUnits: 30_122_853_861,
        realTokenUnits: 788_723_864_070_275,
        realQuoteUnits: 122_853_861,
        complete: false,
        mayhem: false,
        cashback: false,
        quoteMint: null,
      },
    })
    const creator = read.ok && read.value?.creator
    expect(Buffer.from(creator || '', 'latin1').toString('hex')).toBe('dd10b0576e99e8bbd541344fdc3f21ab50f39a64e09108d5d124a88d60992e7e')
  })
  test.each(['curve of 2024', 'curve of 2026-06', 'curve of 2026-07', 'fresh curve'])(
    "%s: virtual and real reserves differ by the launchpad's constants",
    (name) => {
      const read = readCurve(given.recordedAccount(name))
      const curve = read.ok ? read.value : null
      expect([
        subtract(curve?.virtualQuoteUnits ?? 0, curve?.realQuoteUnits ?? 0),
        subtract(curve?.virtualTokenUnits ?? 0, curve?.realTokenUnits ?? 0),
      ]).toEqual([30e9, 279_900_000_000_000])
    },
  )
  test('a cashback coin has its flag', () => {
    expect(readCurve(given.recordedAccount('curve of 2026-07'))).toMatchObject({ ok: true, value: { cashback: true, mayhem: false } })
  })
  test('a mint of the launchpad has no authority, its texts inside, and no hazard', () => {
    const mint = mintOf(given.recordedAccount('mint'))
    expect(mint).toMatchObject({
      tokenProgram: TOKEN_2022,
      decimals: 6,
      supplyUnits: 10n ** 15n,
      mintAuthority: null,
      freezeAuthority: null,
    })
    expect(mint.extensions).toEqual([
      { type: 'other', name: 'metadata_pointer' },
      { type: 'tokenMetadata', text: { name: '100k', symbol: '100k' } },
    ])
    expect(hazardsOf(mint)).toEqual([])
  })
  test('curve addresses are those in the launches', () => {
    const vectors = readFileSync(fileURLToPath(new URL('../../../data/solana/events/event-vectors.jsonl', import.meta.url)), 'utf8')
    const launches = vectors
      .trim()
      .split('\n')
      .map((line): { event: string; fields: Record<string, string> } => JSON.parse(line))
      .filter(({ event }) => event === 'CreateEvent')
    expect(launches.length).toBeGreaterThan(4)
    for (const { fields } of launches) expect(toBase58(curveAddressOf(mustKey(fields.mint ?? '')))).toBe(fields.bonding_curve)
  })
})

describe('mints', () => {
  test('of the old program have authorities as hazards', () => {
    const mint = mintOf(given.splMint({ mintAuthority: A, freezeAuthority: key(8), decimals: 9, supplyUnits: 2n ** 64n - 1n }))
    expect(mint).toMatchObject({
      tokenProgram: TOKEN,
      decimals: 9,
      supplyUnits: 2n ** 64n - 1n,
      mintAuthority: A,
      freezeAuthority: key(8),
      extensions: [],
    })
    expect(hazardsOf(mint)).toEqual(['mint_authority', 'freeze_authority'])
  })
  test.each([
    ['a fee', given.transferFee({ authority: null, before: 0, epoch: 700n, max: 10n, basisPoints: 500 }), 'transfer_fee'],
    ['a fee that ends', given.transferFee({ authority: null, before: 9, epoch: 700n, max: 0n, basisPoints: 0 }), 'transfer_fee'],
    ['a fee with an authority', given.transferFee({ authority: A, before: 0, epoch: 0n, max: 0n, basisPoints: 0 }), 'transfer_fee'],
    ['no fee and no authority', given.transferFee({ authority: null, before: 0, epoch: 0n, max: 0n, basisPoints: 0 }), undefined],
    ['new accounts frozen', given.defaultState(2), 'default_frozen'],
    ['new accounts usable', given.defaultState(1), undefined],
    ['non-transferable coins', given.nonTransferable(), 'non_transferable'],
    ['a permanent delegate', given.permanentDelegate(A), 'permanent_delegate'],
    ['a revoked delegate', given.permanentDelegate(null), undefined],
    ['a hook', given.transferHook(null, A), 'transfer_hook'],
    ['a hook with an authority', given.transferHook(A, null), 'transfer_hook'],
    ['no hook and no authority', given.transferHook(null, null), undefined],
    ['a pause authority', given.pausable(A, 0), 'pausable'],
    ['a permanent pause', given.pausable(null, 1), 'pausable'],
    ['no pause authority', given.pausable(null, 0), undefined],
    ['an unknown extension', given.extension(77, Buffer.alloc(5)), undefined],
  ])('of the new program with %s: hazard %#', (_what, extension, hazard) => {
    const mint = mintOf(given.token2022Mint([given.extension(18, Buffer.alloc(64)), extension, given.metadata(A, 'n', 's')]))
    expect(mint.extensions).toHaveLength(3)
    expect(hazardsOf(mint)).toEqual(hazard === undefined ? [] : [hazard])
  })
  test('an unknown extension is named by its number', () => {
    expect(mintOf(given.token2022Mint([given.extension(77, Buffer.alloc(5))])).extensions).toEqual([{ type: 'other', name: 'type_77' }])
  })
  test('fields of a fee are those of the newer one, with the previous values', () => {
    const [fee] = mintOf(
      given.token2022Mint([given.transferFee({ authority: A, before: 100, epoch: 700n, max: 10n ** 12n, basisPoints: 500 })]),
    ).extensions
    expect(fee).toEqual({
      type: 'transferFee',
      basisPoints: 500,
      beforeBasisPoints: 100,
      fromEpoch: 700n,
      maxUnits: 10n ** 12n,
      authority: A,
    })
  })
  test('unreadable metadata leaves the rest readable', () => {
    const broken = given.extension(19, Buffer.concat([Buffer.alloc(64), Buffer.from('ffffffff', 'hex')]))
    const mint = mintOf(given.token2022Mint([broken, given.permanentDelegate(A)]))
    expect(mint.extensions[0]).toEqual({ type: 'tokenMetadata', text: null })
    expect(hazardsOf(mint)).toEqual(['permanent_delegate'])
  })
  test('padding after the last extension is skipped', () => {
    const { owner, data } = given.token2022Mint([given.permanentDelegate(A)])
    expect(mintOf({ owner, data: Buffer.concat([data, Buffer.alloc(30)]) }).extensions).toHaveLength(1)
  })
  test.each([
    ['no account', null],
    ['an account of another program', { owner: A, data: Buffer.alloc(82) }],
    ['a token account', { owner: TOKEN, data: Buffer.alloc(165) }],
    ['a multisig', { owner: TOKEN_2022, data: Buffer.alloc(355) }],
    ['a token account with extensions', changed(given.token2022Mint([given.nonTransferable()]), 165, 2)],
    ['an uninitialized mint', given.splMint({ initialized: 0 })],
  ])('%s is not a mint', (_what, account) => {
    expect(readMint(account)).toEqual({ ok: true, value: null })
  })
  test.each([
    ['an invalid size', cut(given.splMint(), 81)],
    ['extensions on the old program', { ...given.token2022Mint([given.nonTransferable()]), owner: TOKEN }],
    ['an invalid account type', changed(given.token2022Mint([given.nonTransferable()]), 165, 9)],
    ['a flag of 2', changed(given.splMint(), 0, 2)],
    ['a flag of 2 for the freeze authority', changed(given.splMint(), 46, 2)],
    ['initialised with 7', given.splMint({ initialized: 7 })],
    ['an extension beyond the end', cut(given.token2022Mint([given.permanentDelegate(A)]), 180)],
    ['a fee of another length', given.token2022Mint([given.extension(1, Buffer.alloc(107))])],
    ['a state of 3', given.token2022Mint([given.defaultState(3)])],
    ['a pause of 2', given.token2022Mint([given.pausable(A, 2)])],
    ['an extension twice', given.token2022Mint([given.permanentDelegate(null), given.permanentDelegate(A)])],
    [
      'more extensions than allowed',
      given.token2022Mint(Array.from({ length: 65 }, (_, index) => given.extension(100 + index, Buffer.alloc(0)))),
    ],
  ])('%s is bad data with a reason', (_what, account) => {
    expect(readMint(account)).toMatchObject({ ok: false, code: expect.any(String), reason: expect.any(String) })
  })
})

describe('curves', () => {
  test('of the newest layout', () => {
    const usdc = mustKey('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
    const read = readCurve(given.curveAccount({ complete: 1, creator: A, mayhem: 1, cashback: 1, quoteMint: usdc }))
    expect(read).toMatchObject({ ok: true, value: { complete: true, creator: A, mayhem: true, cashback: true, quoteMint: usdc } })
  })
  test('of an amount beyond 2^53 is exact', () => {
    const read = readCurve(given.curveAccount({ virtualQuoteUnits: 2n ** 64n - 1n }))
    expect(read).toMatchObject({ ok: true, value: { virtualQuoteUnits: 2n ** 64n - 1n } })
  })
  test.each([
    [49, { creator: null, mayhem: false, cashback: false, quoteMint: null }],
    [81, { creator: A, mayhem: false }],
    [82, { creator: A, mayhem: true, cashback: false }],
    [83, { mayhem: true, cashback: true, quoteMint: null }],
    [115, { creator: A, cashback: true }],
    [300, { creator: A, cashback: true }],
  ])('of %i bytes: fields missing in this layout are null', (bytes, fields) => {
    const { owner, data } = given.curveAccount({ creator: A, mayhem: 1, cashback: 1 })
    const account = { owner, data: Buffer.concat([data, Buffer.alloc(200)]).subarray(0, bytes) }
    expect(readCurve(account)).toMatchObject({ ok: true, value: fields })
  })
  test('a missing or foreign account is none', () => {
    expect(readCurve(null)).toEqual({ ok: true, value: null })
    expect(readCurve({ ...given.curveAccount(), owner: key(1) })).toEqual({ ok: true, value: null })
  })
  test.each([
    ['another account of the launchpad', changed(given.curveAccount(), 0, 0), 'bad_account'],
    ['nothing', { owner: PUMP, data: Buffer.alloc(0) }, 'bad_account'],
    ['a truncated one', cut(given.curveAccount(), 48), 'truncated'],
    ['one truncated in its creator', cut(given.curveAccount(), 60), 'truncated'],
    ['one truncated in its quote', cut(given.curveAccount(), 100), 'truncated'],
    ['a flag of 2', given.curveAccount({ complete: 2 }), 'bad_bool'],
    ['mayhem of 255', given.curveAccount({ mayhem: 255 }), 'bad_bool'],
  ])('%s is bad data: %s', (_what, account, code) => {
    expect(readCurve(account)).toMatchObject({ ok: false, code })
  })
})
