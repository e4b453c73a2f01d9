// Parses mint accounts of both token programs. Layouts: the programs' own interfaces.
import { asBuffer } from '../../../../schemas/bytes.ts'
import { bad, good, type Parsed } from '../../../../schemas/errors.ts'
import { type Key, mustKey } from '../../../../schemas/keys.ts'
import type { MintAccount } from '../../../accounts.ts'
import type { RawAccount } from './account.ts'
import { boolAt, keyAt } from './account-bytes.ts'
import { readExtensions } from './extensions.ts'

export const TOKEN: Key = mustKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
export const TOKEN_2022: Key = mustKey('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')

const MINT_BYTES = 82
/** Size of a token account. A mint with extensions is padded to this size; the next byte is the account's kind. */
const TOKEN_ACCOUNT_BYTES = 165
/** Size of a multisig: no extended account has this length. */
const MULTISIG_BYTES = 355
/** Kinds of accounts with extensions: 0 not initialized, 1 mint, 2 token account. */
const IS_MINT = 1
const KIND_MAX = 2
const OFFSETS = { mintAuthority: 0, supply: 36, decimals: 44, initialized: 45, freezeAuthority: 46 } as const

/** Null if the account does not exist, belongs to another program, or is not an initialized mint. */
export const readMint = (account: RawAccount | null): Parsed<MintAccount | null> => {
  if (account === null || (account.owner !== TOKEN && account.owner !== TOKEN_2022)) return good(null)
  const data = asBuffer(account.data)
  const kind = kindOf(account.owner, data)
  if (kind === 'other') return good(null)
  if (kind === undefined) return bad('bad_account', `${data.length} bytes are not in the format of the token program's accounts`)
  const isInitialized = boolAt(data, OFFSETS.initialized)
  const [mintAuthority, freezeAuthority] = [authorityAt(data, OFFSETS.mintAuthority), authorityAt(data, OFFSETS.freezeAuthority)]
  if (isInitialized === undefined || mintAuthority === undefined || freezeAuthority === undefined)
    return bad('bad_bool', 'a boolean or option tag of a mint is neither 0 nor 1')
  if (!isInitialized) return good(null)
  const extensions = readExtensions(data, TOKEN_ACCOUNT_BYTES + 1)
  if (!extensions.ok) return extensions
  return good({
    tokenProgram: account.owner,
    decimals: data[OFFSETS.decimals] ?? 0,
    supplyUnits: data.readBigUInt64LE(OFFSETS.supply),
    mintAuthority,
    freezeAuthority,
    extensions: extensions.value,
  })
}

/** Undefined for data in the format of neither program. */
const kindOf = (program: Key, data: Buffer): 'mint' | 'other' | undefined => {
  const { length } = data
  if (length === MINT_BYTES) return 'mint'
  if (length === TOKEN_ACCOUNT_BYTES || length === MULTISIG_BYTES) return 'other'
  if (program === TOKEN || length < TOKEN_ACCOUNT_BYTES) return undefined
  const kind = data[TOKEN_ACCOUNT_BYTES] ?? 0
  if (kind > KIND_MAX) return undefined
  return kind === IS_MINT ? 'mint' : 'other'
}

/** An optional key after its tag of four bytes: null for tag 0, undefined for a tag that is neither 0 nor 1. */
const authorityAt = (data: Buffer, offset: number): Key | null | undefined => {
  const tag = data.readUInt32LE(offset)
  if (tag > 1) return undefined
  return tag === 0 ? null : keyAt(data, offset + 4)
}
