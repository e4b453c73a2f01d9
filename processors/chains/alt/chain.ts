// Robinhood Chain (EVM id 4663) with the launchpad Pons V2, as the rest of the program sees it.
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

/** Of 100 ms: facts apply two to four seconds after they were sent, about as on the primary chain, at one record a task for each epoch. */
const FRAMES_PER_EPOCH = 20

/** The chain with a launchpad's own addresses. */
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
  // An address does not say whether a contract is behind it, except of those that are known.
  isWallet: (key) => !launchpad.routers.has(key) && !launchpad.factories.has(key),
  decoder: decoderOf(launchpad),
  files: { bytesMax: FILE_BYTES_MAX, parse: parseFile, lines: linesOfFile, frames: makeFramesOf(launchpad) },
  reserves: () => new CurveReserveCheck(),
})

export const alt = altWith(PONS_V2)

/** What a source that asks a node keeps of its logs. */
export const nodeLogs = nodeLogsOf(PONS_V2)
