// What answers and documents publish of the chain that the unprefixed routes are of.
import type { PositionShape } from '../../schemas/position.ts'

export const PUBLISHED = { chain: 'solana', numbers: 4 } as const satisfies PositionShape
/** Of an event, for texts and messages. */
export const POSITION_EXAMPLE = 'solana:332254908.17.3.2'
