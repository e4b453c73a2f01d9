// Parses the extensions of a Token-2022 mint: type, length, value, one after the other. Layouts: the token program's own interface.
import { bad, good, type Parsed } from '../../../../schemas/errors.ts'
import type { MintExtension } from '../../../accounts.ts'
import { boolAt, KEY_BYTES, keyOrNullAt } from './account-bytes.ts'

const HEAD_BYTES = 4
/** The program defines fewer than 40 extensions, and a mint has each at most once. */
const EXTENSIONS_MAX = 64
/** Maximum length of a metadata text; the launchpad's own texts are shorter than 200. */
const TEXT_BYTES_MAX = 4_096
const FROZEN = 2
/** Names of extensions that cannot hurt a holder, by type. */
const NAMES: Readonly<Record<number, string>> = {
  3: 'mint_close_authority',
  4: 'confidential_transfer',
  10: 'interest_bearing',
  16: 'confidential_transfer_fee',
  18: 'metadata_pointer',
  20: 'group_pointer',
  21: 'token_group',
  22: 'group_member_pointer',
  23: 'token_group_member',
  24: 'confidential_mint_burn',
  25: 'scaled_ui_amount',
}

interface Reader {
  readonly bytes: number
  /** Undefined for values that the program never writes. */
  read(value: Buffer): MintExtension | undefined
}

const FEE = { authority: 0, beforeBasisPoints: 88, epoch: 90, max: 98, basisPoints: 106 } as const

/** Extensions that may hurt a holder, by type. */
const READERS: Readonly<Record<number, Reader>> = {
  1: {
    bytes: 108,
    read: (value) => ({
      type: 'transferFee',
      basisPoints: value.readUInt16LE(FEE.basisPoints),
      fromEpoch: value.readBigUInt64LE(FEE.epoch),
      beforeBasisPoints: value.readUInt16LE(FEE.beforeBasisPoints),
      maxUnits: value.readBigUInt64LE(FEE.max),
      authority: keyOrNullAt(value, FEE.authority),
    }),
  },
  6: {
    bytes: 1,
    read: ([state = 0]) => (state > FROZEN ? undefined : { type: 'defaultAccountState', frozen: state === FROZEN }),
  },
  9: { bytes: 0, read: () => ({ type: 'nonTransferable' }) },
  12: { bytes: KEY_BYTES, read: (value) => ({ type: 'permanentDelegate', delegate: keyOrNullAt(value, 0) }) },
  14: {
    bytes: 2 * KEY_BYTES,
    read: (value) => ({ type: 'transferHook', authority: keyOrNullAt(value, 0), program: keyOrNullAt(value, KEY_BYTES) }),
  },
  26: {
    bytes: KEY_BYTES + 1,
    read: (value) => {
      const paused = boolAt(value, KEY_BYTES)
      return paused === undefined ? undefined : { type: 'pausable', authority: keyOrNullAt(value, 0), paused }
    },
  },
}
const METADATA = 19

/** All extensions; bad data where one is truncated, repeated, or not in the token program's format. */
export const readExtensions = (data: Buffer, from: number): Parsed<readonly MintExtension[]> => {
  const found: MintExtension[] = []
  const seen = new Set<number>()
  for (let at = from; at + HEAD_BYTES <= data.length; ) {
    const type = data.readUInt16LE(at)
    if (type === 0) break
    const end = at + HEAD_BYTES + data.readUInt16LE(at + 2)
    if (end > data.length) return bad('truncated', `extension ${type} of a mint goes beyond the account`)
    const extension = extensionOf(type, data.subarray(at + HEAD_BYTES, end))
    if (extension === undefined) return bad('bad_account', `extension ${type} of a mint is not in the token program's format`)
    if (seen.has(type) || seen.size >= EXTENSIONS_MAX)
      return bad('bad_account', `extension ${type} of a mint is repeated, or the mint has more than ${EXTENSIONS_MAX}`)
    seen.add(type)
    found.push(extension)
    at = end
  }
  return good(found)
}

const extensionOf = (type: number, value: Buffer): MintExtension | undefined => {
  if (type === METADATA) return { type: 'tokenMetadata', text: metadataOf(value) }
  const reader = READERS[type]
  if (reader === undefined) return { type: 'other', name: NAMES[type] ?? `type_${type}` }
  return value.length === reader.bytes ? reader.read(value) : undefined
}

/** Name and symbol. The update authority and the mint, one key each, precede them. */
const metadataOf = (value: Buffer): { readonly name: string; readonly symbol: string } | null => {
  const name = textAt(value, 2 * KEY_BYTES)
  const symbol = name && textAt(value, name.end)
  return name && symbol ? { name: name.text, symbol: symbol.text } : null
}

const textAt = (value: Buffer, at: number): { readonly text: string; readonly end: number } | undefined => {
  if (at + 4 > value.length) return undefined
  const start = at + 4
  const end = start + value.readUInt32LE(at)
  if (end > value.length) return undefined
  return { text: value.toString('utf8', start, Math.min(end, start + TEXT_BYTES_MAX)), end }
}
