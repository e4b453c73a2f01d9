// Creates the sandbox's initial state: keys, the currency, and initial balances.
import { randomBytes } from 'node:crypto'
import type { Address } from '@solana/kit'
import { AccountState, findAssociatedTokenPda, getMintEncoder, getTokenEncoder, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { newKeyPair, signerOf } from './keys.ts'
import type { Genesis, LedgerStore } from './ledger-store.ts'
import { type Account, Svm } from './svm.ts'

/** Solana devnet and its USDC: a client cannot mistake sandbox money for real money. */
export const SANDBOX_NETWORK = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
/** Its CAIP-2 id is the start of this. */
export const SANDBOX_GENESIS_HASH = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'
export const SANDBOX_USDC = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'

const BUYER_MICRO_USDC = 100_000_000n
const FEES_LAMPORTS = 1_000_000_000_000n
const SYSTEM_PROGRAM = '1'.repeat(32)

/** Base58 of the account that holds the owner's USDC. */
export const usdcAccountOf = async (owner: string, asset: string = SANDBOX_USDC): Promise<string> => {
  const [address] = await findAssociatedTokenPda({ mint: asset as Address, owner: owner as Address, tokenProgram: TOKEN_PROGRAM_ADDRESS })
  return address
}

/** Commits keys and initial accounts atomically; a sandbox killed before that starts from scratch. */
export const createGenesis = async (store: LedgerStore, nowMs: number): Promise<Genesis> => {
  const keys = { facilitatorKey: newKeyPair(), payToKey: newKeyPair(), buyerKey: newKeyPair() }
  const [facilitator, payTo, buyer] = await Promise.all([signerOf(keys.facilitatorKey), signerOf(keys.payToKey), signerOf(keys.buyerKey)])
  const svm = new Svm()
  const token = (data: Uint8Array): Account => ({
    lamports: svm.rentExemptLamports(data.length),
    data,
    owner: TOKEN_PROGRAM_ADDRESS,
    executable: false,
  })
  const mint = getMintEncoder().encode({
    mintAuthority: null,
    supply: BUYER_MICRO_USDC,
    decimals: 6,
    isInitialized: true,
    freezeAuthority: null,
  })
  const accounts = new Map<string, Account>([
    [facilitator.address, { lamports: FEES_LAMPORTS, data: new Uint8Array(), owner: SYSTEM_PROGRAM, executable: false }],
    [SANDBOX_USDC, token(Uint8Array.from(mint))],
    [await usdcAccountOf(payTo.address), token(tokenAccount(payTo.address, 0n))],
    [await usdcAccountOf(buyer.address), token(tokenAccount(buyer.address, BUYER_MICRO_USDC))],
  ])
  const genesis: Genesis = {
    facilitatorKey: Buffer.from(keys.facilitatorKey).toString('base64'),
    payToKey: Buffer.from(keys.payToKey).toString('base64'),
    buyerKey: Buffer.from(keys.buyerKey).toString('base64'),
    blockhashSeed: randomBytes(32).toString('hex'),
    genesisMs: nowMs,
  }
  await store.commit({ accounts, forgotten: [], genesis })
  return genesis
}

const tokenAccount = (owner: Address, amount: bigint): Uint8Array =>
  Uint8Array.from(
    getTokenEncoder().encode({
      mint: SANDBOX_USDC as Address,
      owner,
      amount,
      delegate: null,
      state: AccountState.Initialized,
      isNative: null,
      delegatedAmount: 0n,
      closeAuthority: null,
    }),
  )
