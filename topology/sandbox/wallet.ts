// The wallet file: the secret key of a buyer, its network, and the RPC URL of that network.
import { readFile, rename, writeFile } from 'node:fs/promises'
import * as z from 'zod'
import { EngineError } from '../../schemas/errors.ts'

export interface Wallet {
  /** CAIP-2. */
  readonly network: `${string}:${string}`
  readonly rpcUrl: string
  /** Base58. */
  readonly address: string
  /** 64 bytes: secret, then public. */
  readonly secretKey: readonly number[]
}

const walletSchema = z.object({
  network: z.custom<Wallet['network']>((value) => typeof value === 'string' && /^solana:[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(value)),
  rpcUrl: z.url(),
  address: z.string(),
  secretKey: z.array(z.int().min(0).max(255)).length(64),
})

/** Name of the sandbox buyer's wallet in the data directory. */
export const WALLET_FILE = 'wallet.json'

/** @throws EngineError `file_unreadable`; the message never contains the key. */
export const readWallet = async (file: string): Promise<Wallet> => {
  let json: unknown
  try {
    json = JSON.parse(await readFile(file, 'utf8'))
  } catch (cause) {
    const hint = 'Start `mintfold up` with sandbox payments once to create one, or name another file with --wallet.'
    throw new EngineError('file_unreadable', `no wallet can be read from ${file}. ${hint}`, { facts: { file }, cause })
  }
  const parsed = walletSchema.safeParse(json)
  if (parsed.success) return parsed.data
  const message = `${file} is not a wallet: it needs network (CAIP-2 of Solana), rpcUrl, address and secretKey (64 numbers).`
  throw new EngineError('file_unreadable', message, { facts: { file } })
}

/** Replaces the file atomically; only its owner can read it. */
export const writePrivateFile = async (file: string, text: string): Promise<void> => {
  const temporary = `${file}.${process.pid}.tmp`
  await writeFile(temporary, text, { mode: 0o600, flush: true })
  await rename(temporary, file)
}
