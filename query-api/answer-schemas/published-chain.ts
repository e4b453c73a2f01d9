// What answers and documents publish of the chain that the unprefixed routes are of.
import type { PositionShape } from '../../schemas/position.ts'

export const PUBLISHED = { chain: 'solana', numbers: 4 } as const satisfies PositionShape
/** Of the chain whose routes begin with its name. */
export const PUBLISHED_ALT = { chain: 'alt', numbers: 3 } as const satisfies PositionShape
/** Of an event, for texts and messages. */
export const POSITION_EXAMPLE = 'solana:332254908.17.3.2'
