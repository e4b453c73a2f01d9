// The names and position formats of both chains, used in answers and documents.
import type { PositionShape } from '../../schemas/position.ts'

/** The chain of the routes without a chain in their path. */
export const PUBLISHED = { chain: 'solana', numbers: 4 } as const satisfies PositionShape
/** The chain of the routes under `/v1/alt`. */
export const PUBLISHED_ALT = { chain: 'alt', numbers: 3 } as const satisfies PositionShape
/** The position of an event, as an example in texts and messages. */
export const POSITION_EXAMPLE = 'solana:332254908.17.3.2'
