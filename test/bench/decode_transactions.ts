// decode_transactions: inflates and decodes the frames of the recorded blocks to tape events. The value counts only the launchpad
// transactions, which are decoded; `detail` also counts all transactions of the blocks.
import { fileURLToPath } from 'node:url'
import { decodeFrame } from '../../processors/chains/solana/decode-frame.ts'
import { openBody } from '../../processors/chains/solana/frame.ts'
import type { RawFrame } from '../../schemas/types.ts'
import { readRecording } from '../../topology/sources/recording/recording-file.ts'
import type { Bench } from './bench.ts'

const BLOCKS = fileURLToPath(new URL('../recordings/blocks.avro', import.meta.url))
const WARM_UPS = 30
const RUNS = 200

export const bench: Bench = {
  name: 'decode_transactions',
  unit: 'transactions/s',
  run: async () => {
    const frames: RawFrame[] = []
    for await (const frame of readRecording(BLOCKS)) frames.push(frame)
    let kept = 0
    let all = 0
    for (const frame of frames) {
      const body = openBody(frame)
      if (!body.ok) throw new Error(body.reason)
      kept += body.value.transactions.length
      all += body.value.transactionsTotal
    }
    const once = (): number => frames.reduce((events, frame) => events + decodeFrame(frame).events.length, 0)
    for (let run = 0; run < WARM_UPS; run++) once()
    const started = performance.now()
    let events = 0
    for (let run = 0; run < RUNS; run++) events += once()
    const seconds = (performance.now() - started) / 1_000
    const value = Math.round((kept * RUNS) / seconds)
    return {
      value,
      detail: { all_transactions_per_s: Math.round((all * RUNS) / seconds), events_per_run: events / RUNS, kept, all, runs: RUNS },
    }
  },
}
