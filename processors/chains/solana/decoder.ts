// The processor that decodes frames of Solana. Raise its version if it decodes any frame to other events.
import { createDecoder } from '../decoder.ts'
import { decodeFrame } from './decode-frame.ts'
import { countBody } from './frame.ts'

export const decoder = createDecoder({ name: 'decode-solana', version: 6 }, { decode: decodeFrame, count: countBody })
