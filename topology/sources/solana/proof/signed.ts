// What the signed bytes of a transaction prove about an event: its signers, the accounts it names, and amounts in its own instructions.
//
// Events are emitted while a transaction runs and are not signed: amounts are proven only if a top-level instruction to the curve contains
// them. `verify_finding.py` does the same.
import { createPublicKey, verify } from 'node:crypto'
import { readWire } from '../../../../processors/chains/solana/encodings/wire.ts'
import { PUMP } from '../../../../processors/chains/solana/programs.ts'
import { asBuffer } from '../../../../schemas/bytes.ts'
import { type Key, toBase58, toBytes } from '../../../../schemas/keys.ts'
import type { Claim } from '../../../ports/proof.ts'

const SIGNATURE_BYTES = 64
const V1 = 0x81
/** Curve instructions with the amount of coins as u64 after the discriminator: buy and sell. */
const NAMES_AMOUNT: ReadonlySet<string> = new Set(['66063d1201daebea', '33e685a4017f83ad'])
/** Index of the mint among the accounts of both. */
const MINT_ACCOUNT = 2
/** Prefix that makes an SPKI of the 32 bytes of an Ed25519 key. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

/** Signatures come first, except in version 1. */
const partsOf = (bytes: Buffer): { readonly signatures: readonly Buffer[]; readonly message: Buffer } => {
  const isV1 = bytes[0] === V1
  const count = (isV1 ? bytes[1] : bytes[0]) ?? 0
  const from = isV1 ? bytes.length - count * SIGNATURE_BYTES : 1
  const signatures = Array.from({ length: count }, (_, n) => bytes.subarray(from + n * SIGNATURE_BYTES, from + (n + 1) * SIGNATURE_BYTES))
  return { signatures, message: isV1 ? bytes.subarray(0, from) : bytes.subarray(1 + count * SIGNATURE_BYTES) }
}

const isSignedBy = (key: Key, signature: Buffer, message: Buffer): boolean =>
  verify(null, message, createPublicKey({ key: Buffer.concat([SPKI, toBytes(key)]), format: 'der', type: 'spki' }), signature)

/** Why the bytes are not the signed transaction; undefined if all signatures are valid and the first is `signature`. */
export const unsigned = (bytes: Buffer, signature: string): string | undefined => {
  const wire = readWire(bytes)
  if (!wire.ok) return wire.reason
  if (toBase58(wire.value.signature) !== signature) return 'it is another transaction'
  const { signatures, message } = partsOf(bytes)
  if (signatures.length !== wire.value.signers) return `${signatures.length} signatures where ${wire.value.signers} are due`
  const bad = signatures.findIndex((one, n) => !isSignedBy(wire.value.staticKeys[n] as Key, one, message))
  return bad < 0 ? undefined : `signature ${bad} is invalid`
}

/** Fields of the claim that the bytes prove; call it only if `unsigned` returned undefined. */
export const provenBy = (bytes: Buffer, { mint, user, token_units }: Claim): readonly string[] => {
  const wire = readWire(bytes)
  if (!wire.ok) return []
  const { staticKeys, signers, instructions, version } = wire.value
  const keys = staticKeys.map(toBase58)
  const namesAmount = instructions.some(({ program, accounts, data }) => {
    const asBytes = asBuffer(data as Uint8Array)
    const names = staticKeys[program] === PUMP && asBytes.length >= 16 && NAMES_AMOUNT.has(asBytes.toString('hex', 0, 8))
    return names && keys[accounts[MINT_ACCOUNT] ?? -1] === mint && String(asBytes.readBigUInt64LE(8)) === token_units
  })
  return [
    'signature',
    ...(keys.includes(mint) ? ['mint'] : []),
    ...(user !== null && keys.slice(0, signers).includes(user) ? ['user'] : []),
    ...(version < 1 && namesAmount ? ['token_units'] : []),
  ]
}
