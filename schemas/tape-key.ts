// Whose event it is: what the tape is partitioned by.
import type { Key } from './keys.ts'
import type { TapeEvent } from './types.ts'

/** The coin, and of payments between wallets who was paid. */
export const tapeKeyOf = (event: TapeEvent): Key => (event.type === 'transfer' ? event.wallet : event.mint)
