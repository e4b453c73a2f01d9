// The decoder of this chain's frames.
import { createDecoder } from '../decoder.ts'
import { decodeFrame } from './decode-frame.ts'
import { countBody } from './frame.ts'

export const decoder = createDecoder({ name: 'decode-solana', version: 5 }, { decode: decodeFrame, count: countBody })
