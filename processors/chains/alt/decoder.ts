// The processor that decodes frames of the alt chain; the addresses of the launchpad are settings.
import type { AltTapeEvent } from '../../../schemas/types.ts'
import { createDecoder, type Decoder } from '../decoder.ts'
import { type AltDecodeRows, updateContracts } from './contracts.ts'
import { countBody, decodeFrameOf } from './decode-frame.ts'
import type { Launchpad } from './launchpad.ts'

export const decoderOf = (launchpad: Launchpad): Decoder<AltTapeEvent, AltDecodeRows> =>
  createDecoder<AltTapeEvent, AltDecodeRows>(
    { name: 'decode-alt', version: 1, make: () => launchpad.make },
    { decode: decodeFrameOf(launchpad), count: countBody },
    updateContracts,
  )
