// Addresses in the launchpad's instructions: fixed ones, and those derived from a mint or a wallet.
import { createHash } from 'node:crypto'
import { type Key, keyOf, mustKey } from '../../../../schemas/keys.ts'

/** The launchpad's own accounts and the chain's programs, from its IDL (npm @pump-fun/pump-sdk) and recorded transactions. */
export const FIXED = {
  global: mustKey('4wTV1YmiEkRvAtNtsSGPtUrqRYQMe5SKy2uB4Jjaxnjf'),
  ammGlobalConfig: mustKey('ADyA8hdefvWN2dbGGWFotbzWxrAvLW83WG6QCVXvJKqw'),
  eventAuthority: mustKey('Ce6TQqeHC9p8KetsN6JsjHK7UTZk7nasjjnr7XxXp9F1'),
  ammEventAuthority: mustKey('GS4CU59F31iL7aR2Q8zVS8DRrcRnXX1yjQ66TqNVQnaR'),
  mintAuthority: mustKey('TSLvdd1pWpHVjahSpsvCXUbgwsL3JAcvokwaKt1eokM'),
  feeConfig: mustKey('8Wf5TiAheLUqBrKXeYg2JtAFFMWtKdG2BSFgqUcPVwTt'),
  ammFeeConfig: mustKey('5PHirr8joyTMp9JMm6nW7hNDVyEYdkzDqazxPD7RaTjx'),
  feeProgram: mustKey('pfeeUxB6jkeY1Hxd7CsFCAjcbHA9rWtchMGdZ6VojVZ'),
  mayhemProgram: mustKey('MAyhSmzXzV1pTf7LsNkrNwkWKTo4ougAJ1PPg47MD4e'),
  mayhemParams: mustKey('13ec7XdrjF3h3YcqBTFDSReRcUFwbCnJaAQspM4j6DDJ'),
  volume: mustKey('Hq2wp8uJ9jCPsYgNHex8RtqdvMPfVGoYwjvF1ATiwn2Y'),
  ammVolume: mustKey('C2aFPdENg4A2HQsmrd5rTw5TaYBX5Ku887cWjbFKtZpw'),
  withdrawAuthority: mustKey('39azUYFWPz3VHgKCf3VChUwbpURdCHRxjWVowf5jUJjg'),
  feeRecipient: mustKey('62qc2CNXwrYqQScmEdiZFFAnJR262PxWEuNQtxfafNgV'),
  mayhemFeeRecipient: mustKey('GesfTA3X2arioaHp8bbKdjG9vJtskViWACZoYvxp4twS'),
  boostAuthority: mustKey('HTVZVEQMBsNanubDPTs3CxDAEGNFQHJY8c1441iy2S5r'),
  buyback: mustKey('5YxQFdt3Tr9zJLvkFccqXVUwhdTWJQc1fFg2YPbxvxeD'),
  system: mustKey('11111111111111111111111111111111'),
  token: mustKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'),
  token2022: mustKey('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'),
  associatedToken: mustKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'),
  metadata: mustKey('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s'),
  rent: mustKey('SysvarRent111111111111111111111111111111111'),
} as const

/** Cache limit for derived addresses; beyond it the cache is cleared. Most belong to wallets that trade once. */
const REMEMBERED_MAX = 8_192
const remembered = new Map<string, Key>()

/**
 * The program address of `seeds` (latin1 text) under `program` with bump 255. The chain uses the first bump whose address is off the
 * ed25519 curve; searching for that bump costs a hundred times as much, and nothing here depends on it.
 */
export const derived = (program: Key, ...seeds: readonly string[]): Key => {
  const text = `${seeds.join('')}\xff${program}ProgramDerivedAddress`
  let key = remembered.get(text)
  if (key === undefined) {
    if (remembered.size >= REMEMBERED_MAX) remembered.clear()
    key = keyOf(createHash('sha256').update(text, 'latin1').digest())
    remembered.set(text, key)
  }
  return key
}

/** The associated token account of an owner. */
export const tokenAccount = (owner: Key, tokenProgram: Key, mint: Key): Key => derived(FIXED.associatedToken, owner, tokenProgram, mint)
