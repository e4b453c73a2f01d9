// The transfer of USDC in a Solana payment: who owns the money, and whether it pays for a sale.
import { type Address, address, type CompiledTransactionMessage } from '@solana/kit'
import { findAssociatedTokenPda, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import type { PaymentRequirements } from '@x402/core/types'

const TOKEN_2022_PROGRAM_ADDRESS = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')
const TRANSFER_CHECKED = 12
/** Instruction number, amount (u64, little-endian), decimals. */
const DATA_BYTES = 10

/** One TransferChecked instruction; addresses in base58. */
export interface Transfer {
  readonly program: Address
  readonly source: Address
  readonly mint: Address
  readonly destination: Address
  readonly authority: Address
  readonly amount: bigint
}

/**
 * The transfer of a message that has exactly one. Undefined also if its accounts are in a lookup table, or if another program makes the
 * transfer: then the message does not say whose money moves.
 */
export const transferIn = ({ staticAccounts, instructions }: CompiledTransactionMessage): Transfer | undefined => {
  const transfers = instructions.filter(({ programAddressIndex, data }) => {
    const program = staticAccounts[programAddressIndex]
    return (program === TOKEN_PROGRAM_ADDRESS || program === TOKEN_2022_PROGRAM_ADDRESS) && data?.[0] === TRANSFER_CHECKED
  })
  const [instruction] = transfers
  const { accountIndices = [], data } = instruction ?? {}
  if (transfers.length !== 1 || instruction === undefined || data?.length !== DATA_BYTES) return undefined
  const [source, mint, destination, authority] = accountIndices.map((index) => staticAccounts[index])
  const program = staticAccounts[instruction.programAddressIndex]
  const isWhole =
    program !== undefined && source !== undefined && mint !== undefined && destination !== undefined && authority !== undefined
  if (!isWhole) return undefined
  return { program, source, mint, destination, authority, amount: Buffer.from(data).readBigUInt64LE(1) }
}

/** The token account of an owner that wallets use. */
const tokenAccountOf = async (owner: string, { mint, program }: Transfer): Promise<Address> =>
  (await findAssociatedTokenPda({ owner: address(owner), mint, tokenProgram: program }))[0]

/**
 * Whether a transfer pays for a sale, out of the associated token account of its authority: from any other account the authority may
 * spend the money of somebody else who made it a delegate.
 */
export const isPaymentFor = async (
  transfer: Transfer,
  { asset, amount, payTo }: Pick<PaymentRequirements, 'asset' | 'amount' | 'payTo'>,
): Promise<boolean> =>
  transfer.mint === asset &&
  transfer.amount === BigInt(amount) &&
  transfer.destination === (await tokenAccountOf(payTo, transfer)) &&
  transfer.source === (await tokenAccountOf(transfer.authority, transfer))
