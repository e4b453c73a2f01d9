// Decodes a recorded block's original file to tape events: shared by the two decode_block benches.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { parseChainFile } from '../../processors/chains/solana/chain-file.ts'
import { decodeFrame } from '../../processors/chains/solana/decode-frame.ts'
import { makeFrames } from '../../processors/chains/solana/make-frames.ts'
import type { Bench } from './bench.ts'

/** Runs until the JIT has compiled the code: in production it has decoded for hours. */
const WARM_UPS = 15
const RUNS = 21

/** A bench of one file under test/data/solana/blocks; the value is the median. */
export const blockBench = (name: string, file: string): Bench => ({
  name,
  unit: 'ms',
  run: async () => {
    const bytes = gunzipSync(readFileSync(fileURLToPath(new URL(`../data/solana/blocks/${file}.gz`, import.meta.url))))
    const times: number[] = []
    let events = 0
    for (let run = -WARM_UPS; run < RUNS; run++) {
      const started = performance.now()
      events = decode(bytes, file)
      if (run >= 0) times.push(performance.now() - started)
    }
    times.sort((a, b) => a - b)
    const median = times[Math.floor(RUNS / 2)] as number
    return {
      value: Math.round(median * 10) / 10,
      detail: { bytes: bytes.length, events, runs: RUNS, min_ms: times[0], max_ms: times.at(-1) },
    }
  },
})

const decode = (bytes: Buffer, name: string): number => {
  const file = parseChainFile(bytes, name)
  if (!file.ok) throw new Error(file.reason)
  const made = makeFrames(file.value.blocks, false)
  if (!made.ok) throw new Error(made.reason)
  return made.value.frames.reduce((events, frame) => events + decodeFrame(frame).events.length, 0)
}
