// Addresses of the launchpad's programs and of the few accounts that the decoder must know.
import { type Key, mustKey } from '../../../schemas/keys.ts'

/** A program whose events are decoded. */
export type ProgramName = 'pump' | 'pump_amm'

/** The bonding curve program. */
export const PUMP: Key = mustKey('6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P')
/** The pool program (PumpSwap). */
export const PUMP_AMM: Key = mustKey('pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA')
const PUMP_FEES: Key = mustKey('pfeeUxB6jkeY1Hxd7CsFCAjcbHA9rWtchMGdZ6VojVZ')
const MAYHEM: Key = mustKey('MAyhSmzXzV1pTf7LsNkrNwkWKTo4ougAJ1PPg47MD4e')

export const ASSOCIATED_TOKEN: Key = mustKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
export const TOKEN_PROGRAMS: readonly Key[] = [
  mustKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'),
  mustKey('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'),
]

/** The mayhem program's own trader, PDA ["sol-vault"]: counted neither as buyer nor as holder, nor in the volume. */
export const MAYHEM_AGENT: Key = mustKey('BwWK17cbHxwWBKZkUYvzxLcNQ1YVyaFezduWbtm2de6s')
/** Wrapped SOL. */
export const WSOL: Key = mustKey('So11111111111111111111111111111111111111112')
/** 32 zero bytes: the system program, and SOL where an event names a quote mint. */
export const ZERO_KEY: Key = mustKey('11111111111111111111111111111111')

/** Frames keep the transactions that call one of these; of others they keep at most SOL transfers and coin balances. */
export const LAUNCHPAD: ReadonlySet<Key> = new Set([PUMP, PUMP_AMM, PUMP_FEES, MAYHEM])

/** Programs that call none of the launchpad's. */
const PASSIVE: ReadonlySet<Key> = new Set([
  ZERO_KEY,
  ASSOCIATED_TOKEN,
  ...TOKEN_PROGRAMS,
  mustKey('ComputeBudget111111111111111111111111111111'),
  mustKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
])
/** True for a program that may call the launchpad's. */
export const mayCallLaunchpad = (program: Key | undefined): boolean =>
  program === undefined || !(PASSIVE.has(program) || LAUNCHPAD.has(program))

/** The program whose events are decoded, or undefined. */
export const programName = (key: Key | undefined): ProgramName | undefined =>
  key === PUMP ? 'pump' : key === PUMP_AMM ? 'pump_amm' : undefined

/** Quote mint in the tape's form: null for SOL, wrapped or not. */
export const quoteOf = (mint: Key): Key | null => (mint === ZERO_KEY || mint === WSOL ? null : mint)
