// The key by which the tape is partitioned.
import type { Key } from './keys.ts'
import type { TapeEvent } from './types.ts'

/** The coin; for payments between wallets, the wallet that was paid. */
export const tapeKeyOf = (event: TapeEvent): Key => (event.type === 'transfer' ? event.wallet : event.mint)
