// Payments on Solana as wallets sign them, and with what a wallet would not do: other signers, sources, blockhashes, several transfers.
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { type Address, address, getCompiledTransactionMessageEncoder } from '@solana/kit'
import { findAssociatedTokenPda, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import type { PaymentRequirements } from '@x402/core/types'
import bs58 from 'bs58'

/** Instructions SetComputeUnitLimit (u32) and SetComputeUnitPrice (u64), which facilitators expect first. */
const BUDGET = address('ComputeBudget111111111111111111111111111111')
const UNITS = Buffer.of(2, 0x40, 0x9c, 0, 0)
const UNIT_PRICE = Buffer.of(3, 1, 0, 0, 0, 0, 0, 0, 0)
const MEMO = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
const TRANSFER_CHECKED = 12
const DECIMALS = 6
const SIGNATURE_BYTES = 64

export interface Key {
  readonly address: Address
  readonly privateKey: KeyObject
}

export const newKey = (): Key => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return { address: address(bs58.encode(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))), privateKey }
}

/** @param keyPair 64 bytes, secret then public. */
export const keyOf = (keyPair: Uint8Array): Key => {
  const [d, x] = [keyPair.subarray(0, 32), keyPair.subarray(32)].map((half) => Buffer.from(half).toString('base64url')) as [string, string]
  const privateKey = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' })
  return { address: address(bs58.encode(keyPair.subarray(32))), privateKey }
}

const usdcAccountOf = async (owner: string, mint: string): Promise<Address> =>
  (await findAssociatedTokenPda({ owner: address(owner), mint: address(mint), tokenProgram: TOKEN_PROGRAM_ADDRESS }))[0]

type Terms = Pick<PaymentRequirements, 'asset' | 'amount' | 'payTo' | 'extra'>

export interface Payment {
  /** Base64, with an empty slot for the fee payer's signature. */
  readonly transaction: string
  readonly message: Uint8Array
}

export interface PaymentChanges {
  /** Owner of the token account that is debited; by default the authority. */
  readonly owner?: string
  readonly amount?: bigint
  /** Signers of the memo, listed before the authority. */
  readonly others?: readonly Key[]
  readonly blockhash?: string
  readonly transfers?: number
  /** By default a new one, so that no two payments are equal. */
  readonly memo?: Uint8Array
  /** False: the authority signs nothing. */
  readonly isSigned?: boolean
}

const dataOf = (amount: bigint): Buffer => {
  const data = Buffer.alloc(10)
  data[0] = TRANSFER_CHECKED
  data.writeBigUInt64LE(amount, 1)
  data[9] = DECIMALS
  return data
}

/** A payment of the authority on these terms. */
export const paymentOf = async (terms: Terms, authority: Key, changes: PaymentChanges = {}): Promise<Payment> => {
  const { owner = authority.address, amount = BigInt(terms.amount), others = [], transfers = 1, isSigned = true } = changes
  const source = await usdcAccountOf(owner, terms.asset)
  const destination = await usdcAccountOf(terms.payTo, terms.asset)
  const signers = [...others, ...(isSigned ? [authority] : [])]
  const addresses = [
    address(String(terms.extra?.feePayer)),
    ...signers.map((key) => key.address),
    ...[source, destination, address(terms.asset), TOKEN_PROGRAM_ADDRESS, BUDGET, MEMO, ...(isSigned ? [] : [authority.address])],
  ]
  const at = (wanted: Address): number => addresses.indexOf(wanted)
  const accountIndices = [source, address(terms.asset), destination, authority.address].map(at)
  const transfer = { programAddressIndex: at(TOKEN_PROGRAM_ADDRESS), accountIndices, data: dataOf(amount) }
  const memo = {
    programAddressIndex: at(MEMO),
    accountIndices: others.map((key) => at(key.address)),
    data: changes.memo ?? Buffer.from(randomBytes(8).toString('hex')),
  }
  const budget = (data: Uint8Array) => ({ programAddressIndex: at(BUDGET), accountIndices: [], data })
  const message = getCompiledTransactionMessageEncoder().encode({
    version: 0,
    header: {
      numSignerAccounts: 1 + signers.length,
      numReadonlySignerAccounts: signers.length,
      numReadonlyNonSignerAccounts: isSigned ? 4 : 5,
    },
    staticAccounts: addresses,
    lifetimeToken: changes.blockhash ?? bs58.encode(randomBytes(32)),
    instructions: [...[UNITS, UNIT_PRICE].map(budget), ...Array.from({ length: transfers }, () => transfer), memo],
  })
  const signatures = signers.map(({ privateKey }) => sign(null, message as Uint8Array, privateKey))
  const wire = Buffer.concat([Buffer.of(1 + signers.length), Buffer.alloc(SIGNATURE_BYTES), ...signatures, Buffer.from(message)])
  return { transaction: wire.toString('base64'), message: Uint8Array.from(message) }
}
