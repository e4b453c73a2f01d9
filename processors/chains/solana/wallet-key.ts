// Distinguishes wallets from program addresses.
import { PublicKey } from '@solana/web3.js'
import { type Key, toBytes } from '../../../schemas/keys.ts'

/** True for a point of the ed25519 curve: somebody may have its private key. Takes about 0.15 ms. */
export const isWallet = (key: Key): boolean => PublicKey.isOnCurve(toBytes(key))
