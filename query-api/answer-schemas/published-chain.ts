// The chain names and position formats in answers and documents; routes without a chain prefix are about this chain.
import type { PositionShape } from '../../schemas/position.ts'

export const PUBLISHED = { chain: 'solana', numbers: 4 } as const satisfies PositionShape
/** The chain of the routes under `/v1/alt`. */
export const PUBLISHED_ALT = { chain: 'alt', numbers: 3 } as const satisfies PositionShape
/** An event's position, for texts and messages. */
export const POSITION_EXAMPLE = 'solana:332254908.17.3.2'
