// Addresses that programs derive from seeds (PDAs).
import { hash } from 'node:crypto'
import type { Key } from '../../../schemas/keys.ts'
import { ASSOCIATED_TOKEN, PUMP_AMM, TOKEN_PROGRAMS } from './programs.ts'

/** An address takes the highest bump that is off the curve; each is with a chance of one half. */
const BUMP_MIN = 224

const DERIVED = 'ProgramDerivedAddress'

const derivedWith = (bump: number, program: Key, seeds: readonly string[]): Key =>
  hash('sha256', Buffer.from(`${seeds.join('')}${String.fromCharCode(bump)}${program}${DERIVED}`, 'latin1'), 'buffer').toString(
    'latin1',
  ) as Key

/**
 * True where `fits` accepts an address that `program` derives from these seeds (latin1 text). The test for the curve, which takes 100 times
 * as long, is left out: that a given address is such a hash by accident is impossible.
 */
const isDerived = (fits: (key: Key) => boolean, program: Key, ...seeds: readonly string[]): boolean => {
  for (let bump = 255; bump >= BUMP_MIN; bump--) if (fits(derivedWith(bump, program, seeds))) return true
  return false
}

/** True where one of the keys is the owner's associated token account of the mint. */
export const hasTokenAccount = (keys: readonly Key[], owner: Key, mint: Key): boolean =>
  TOKEN_PROGRAMS.some((program) => isDerived((key) => keys.includes(key), ASSOCIATED_TOKEN, owner, program, mint))

/** True for the authority of the pool's boost vault, by which the pool program buys coins and burns them (IDL: boost_buy_and_burn). */
export const isBoostAuthority = (key: Key, pool: Key): boolean => isDerived((derived) => derived === key, PUMP_AMM, 'boost_vault', pool)
