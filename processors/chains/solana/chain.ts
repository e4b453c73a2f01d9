// Solana with the launchpad pump and its pools, as the rest of the program sees it.
import { BASE58_KEYS } from '../../../schemas/keys.ts'
import type { ChainDefinition } from '../chain.ts'
import { FILE_BYTES_MAX } from '../file-bytes.ts'
import { parseChainFile } from './chain-file.ts'
import { linesOfFile } from './decode-lines.ts'
import { decoder } from './decoder.ts'
import { makeFrames } from './make-frames.ts'
import { MAYHEM_AGENT, WSOL } from './programs.ts'
import { isWallet } from './wallet-key.ts'

export const solana: ChainDefinition = {
  name: 'solana',
  keys: BASE58_KEYS,
  positions: { chain: 'solana', numbers: 4 },
  quote: { symbol: 'SOL', unit: 'lamports', decimals: 9, mint: WSOL },
  agent: MAYHEM_AGENT,
  framesPerEpoch: 4,
  isWallet,
  decoder,
  files: { bytesMax: FILE_BYTES_MAX, parse: parseChainFile, lines: linesOfFile, frames: makeFrames },
}
