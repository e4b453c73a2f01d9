// Parses the launchpad's bonding curve account. Layout: the program's IDL of 2026-09; checked on recorded accounts of 49, 115 and 151
// bytes.

import { PublicKey } from '@solana/web3.js'
import type { Amount } from '../../../../schemas/amount.ts'
import { asBuffer } from '../../../../schemas/bytes.ts'
import { bad, good, type Parsed } from '../../../../schemas/errors.ts'
import { type Key, keyOf, toBytes } from '../../../../schemas/keys.ts'
import type { CurveAccount } from '../../../accounts.ts'
import { readAmount } from '../events/tape-read.ts'
import { PUMP, quoteOf } from '../programs.ts'
import type { RawAccount } from './account.ts'
import { boolAt, keyAt, keyOrNullAt } from './account-bytes.ts'

/** First 8 bytes of sha256("account:BondingCurve"). */
const DISCRIMINATOR = Buffer.from('17b7f83760d8ac60', 'hex')
const SEED = Buffer.from('bonding-curve')
const PROGRAM = new PublicKey(toBytes(PUMP))

/** Where each generation of the layout ends: an account contains all fields of one generation, then zeros or newer fields. */
const ENDS = { complete: 49, creator: 81, mayhem: 82, cashback: 83, quoteMint: 115 } as const
const AMOUNTS = { virtualTokenUnits: 8, virtualQuoteUnits: 16, realTokenUnits: 24, realQuoteUnits: 32 } as const
const OFFSETS = { complete: 48, creator: 49, mayhem: 81, cashback: 82, quoteMint: 83 } as const

/** The program address ["bonding-curve", mint]. About 0.3 ms. */
export const curveAddressOf = (mint: Key): Key => keyOf(PublicKey.findProgramAddressSync([SEED, toBytes(mint)], PROGRAM)[0].toBytes())

/** Null if the account does not exist or the launchpad does not own it: anybody may send lamports to the address. */
export const readCurve = (account: RawAccount | null): Parsed<CurveAccount | null> => {
  if (account === null || account.owner !== PUMP) return good(null)
  const data = asBuffer(account.data)
  if (data.length < DISCRIMINATOR.length || !data.subarray(0, DISCRIMINATOR.length).equals(DISCRIMINATOR))
    return bad('bad_account', `the launchpad's account of ${data.length} bytes is not a bonding curve`)
  if (!endsWithGeneration(data.length)) return bad('truncated', `a bonding curve of ${data.length} bytes ends in the middle of a field`)
  return fieldsOf(data)
}

/** True for an account that ends with one of the generations, or has newer fields after the last known one. */
const endsWithGeneration = (length: number): boolean => length >= ENDS.quoteMint || Object.values(ENDS).some((end) => end === length)

const fieldsOf = (data: Buffer): Parsed<CurveAccount> => {
  const amounts: Record<string, Amount> = {}
  for (const [name, offset] of Object.entries(AMOUNTS)) amounts[name] = readAmount(data, offset)
  const has = (field: keyof typeof ENDS): boolean => data.length >= ENDS[field]
  const flag = (field: 'complete' | 'mayhem' | 'cashback'): boolean | undefined => (has(field) ? boolAt(data, OFFSETS[field]) : false)
  const [complete, mayhem, cashback] = [flag('complete'), flag('mayhem'), flag('cashback')]
  if (complete === undefined || mayhem === undefined || cashback === undefined)
    return bad('bad_bool', 'a boolean of a bonding curve is neither 0 nor 1')
  return good({
    ...(amounts as Record<keyof typeof AMOUNTS, Amount>),
    complete,
    mayhem,
    cashback,
    creator: has('creator') ? keyOrNullAt(data, OFFSETS.creator) : null,
    quoteMint: has('quoteMint') ? quoteOf(keyAt(data, OFFSETS.quoteMint)) : null,
  })
}
