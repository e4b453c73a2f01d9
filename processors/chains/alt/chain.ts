// The chain definition of Robinhood Chain (chain id 4663), with the launchpad Pons V2.
import { altConclusionCodec, altTapeRecordCodec } from '../../../schemas/codecs.ts'
import { HEX_KEYS } from '../../../schemas/keys.ts'
import type { AltTapeEvent } from '../../../schemas/types.ts'
import { CurveReserveCheck } from '../../verify/curve-check.ts'
import type { ChainDefinition } from '../chain.ts'
import { FILE_BYTES_MAX } from '../file-bytes.ts'
import { parseFile } from './chain-file.ts'
import type { AltDecodeRows } from './contracts.ts'
import { linesOfFile } from './decode-lines.ts'
import { decoderOf } from './decoder.ts'
import { type Launchpad, PONS_V2, ZERO } from './launchpad.ts'
import { makeFramesOf } from './make-frames.ts'
import { nodeLogsOf } from './node-logs.ts'

/**
 * Blocks come every 100 ms, so an epoch takes 2 s and messages between keys apply 2 to 4 s after they were sent, about as on Solana.
 * A shorter epoch would cost more records: each task writes one per epoch.
 */
const FRAMES_PER_EPOCH = 20

/** The chain with the addresses of the given launchpad. */
export const altWith = (launchpad: Launchpad): ChainDefinition<AltTapeEvent, AltDecodeRows> => ({
  name: 'alt',
  prefix: 'alt',
  keys: HEX_KEYS,
  positions: { chain: 'alt', numbers: 3 },
  quote: { symbol: 'ETH', unit: 'wei', decimals: 18, mint: ZERO },
  agent: null,
  framesPerEpoch: FRAMES_PER_EPOCH,
  forkNumbersMax: 1_000,
  tape: { schema: 'alt-tape', codec: altTapeRecordCodec, keyOf: ({ mint }) => mint },
  conclusions: { schema: 'alt-conclusions', codec: altConclusionCodec },
  // An address does not show whether it is a contract, so only known contracts are excluded.
  isWallet: (key) => !launchpad.routers.has(key) && !launchpad.factories.has(key),
  decoder: decoderOf(launchpad),
  files: { bytesMax: FILE_BYTES_MAX, parse: parseFile, lines: linesOfFile, frames: makeFramesOf(launchpad) },
  reserves: () => new CurveReserveCheck(),
})

export const alt = altWith(PONS_V2)

/** Selects the logs that a polling source keeps, for the deployed launchpad. */
export const nodeLogs = nodeLogsOf(PONS_V2)
