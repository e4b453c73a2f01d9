// Key pairs of the sandbox and of `mintfold buy`.
import { generateKeyPairSync } from 'node:crypto'
import { createKeyPairSignerFromBytes, type KeyPairSigner } from '@solana/kit'

/** A new ed25519 key pair: 64 bytes, secret then public, as Solana's tools store it. */
export const newKeyPair = (): Uint8Array => {
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  return Buffer.concat([Buffer.from(d ?? '', 'base64url'), Buffer.from(x ?? '', 'base64url')])
}

/** @throws when the public half does not belong to the secret one. */
export const signerOf = (keyPair: Uint8Array): Promise<KeyPairSigner> => createKeyPairSignerFromBytes(keyPair)
