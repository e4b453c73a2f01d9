// Verifies the signature of an EVM payment (EIP-712) without a node.
import { authorizationTypes } from '@x402/evm'
import { type Hex, recoverTypedDataAddress } from 'viem'
import type { Proof } from '../rail.ts'
import { isSameAddress, type SignedAuthorization } from './authorization.ts'
import type { EvmCurrency } from './currency.ts'

/** Hex digits of a signature by a key, with 0x. Those of contract wallets (ERC-1271, ERC-6492) are longer. */
const KEY_SIGNATURE_CHARS = 2 + 2 * 65
/** The reference facilitator's reason. */
const FORGED = { kind: 'forged', reason: 'invalid_exact_evm_signature' } as const

/**
 * Contract wallets whose signature is as short as one by a key, such as a Safe with one owner, count as forged: only a node could tell them
 * apart, and would then be asked about every forged payment. @param network CAIP-2 id.
 */
export const proofOf = async (
  { signature, authorization }: SignedAuthorization,
  network: string,
  { asset, domain }: EvmCurrency,
): Promise<Proof> => {
  if (signature.length > KEY_SIGNATURE_CHARS) return { kind: 'unverifiable' }
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const typed = { types: authorizationTypes, primaryType: 'TransferWithAuthorization' } as const
  const signer = await recoverTypedDataAddress({
    ...typed,
    domain: { ...domain, chainId: BigInt(network.slice(network.indexOf(':') + 1)), verifyingContract: lower(asset) },
    message: {
      ...{ from: lower(from), to: lower(to), nonce: lower(nonce) },
      ...{ value: BigInt(value), validAfter: BigInt(validAfter), validBefore: BigInt(validBefore) },
    },
    signature: lower(signature),
  }).catch(() => undefined)
  return signer !== undefined && isSameAddress(signer, from) ? { kind: 'signed' } : FORGED
}

/** Mixed case would be an address checksum. */
const lower = (hex: string): Hex => hex.toLowerCase() as Hex
