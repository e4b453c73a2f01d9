// The chain definition of Solana, with the launchpad pump and its pools.
import { conclusionCodec, tapeRecordCodec } from '../../../schemas/codecs.ts'
import { BASE58_KEYS } from '../../../schemas/keys.ts'
import { tapeKeyOf } from '../../../schemas/tape-key.ts'
import type { TapeEvent } from '../../../schemas/types.ts'
import { MintReserveCheck } from '../../verify/reserves.ts'
import type { ChainDefinition } from '../chain.ts'
import { FILE_BYTES_MAX } from '../file-bytes.ts'
import { parseChainFile } from './chain-file.ts'
import { linesOfFile } from './decode-lines.ts'
import { decoder } from './decoder.ts'
import { makeFrames } from './make-frames.ts'
import { MAYHEM_AGENT, WSOL } from './programs.ts'
import { isWallet } from './wallet-key.ts'

export const solana: ChainDefinition<TapeEvent> = {
  name: 'solana',
  prefix: '',
  keys: BASE58_KEYS,
  positions: { chain: 'solana', numbers: 4 },
  quote: { symbol: 'SOL', unit: 'lamports', decimals: 9, mint: WSOL },
  agent: MAYHEM_AGENT,
  framesPerEpoch: 4,
  forkNumbersMax: 32,
  isWallet,
  decoder,
  tape: { schema: 'tape', codec: tapeRecordCodec, keyOf: tapeKeyOf },
  conclusions: { schema: 'conclusions', codec: conclusionCodec },
  files: { bytesMax: FILE_BYTES_MAX, parse: parseChainFile, lines: linesOfFile, frames: makeFrames },
  reserves: () => new MintReserveCheck(),
}
