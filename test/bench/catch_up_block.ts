// catch_up_block: CPU time of a missed block over JSON-RPC, from the node's response to the record on the log (block 332254908, 5.9 MB).
// 6 hours offline are 54,000 blocks.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { splitFrame } from '../../processors/chains/frame-parts.ts'
import { rawRecordCodec } from '../../schemas/codecs.ts'
import { addMints, frameOfLive } from '../../topology/sources/solana/frames.ts'
import { CapturedMints } from '../../topology/sources/solana/launchpad-mints.ts'
import { RpcBlocks } from '../../topology/sources/solana/rpc/blocks.ts'
import { RpcClient } from '../../topology/sources/solana/rpc/client.ts'
import { RpcFeed } from '../../topology/sources/solana/rpc/feed.ts'
import { clockWake } from '../../topology/sources/solana/rpc/wake.ts'
import { TOPICS } from '../fixtures/topics.ts'
import type { Bench } from './bench.ts'

const SERVER = fileURLToPath(new URL('./block-server.mjs', import.meta.url))
const WARM_UPS = 15
const BLOCKS = 60
const MISSED_BLOCKS = 54_000
const MS_AN_HOUR = 3_600_000

export const bench: Bench = {
  name: 'catch_up_block',
  unit: 'ms',
  run: async () => {
    const server = spawn(process.execPath, [SERVER], { stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      const [line] = (await server.stdout.take(1).toArray()) as Buffer[]
      const client = new RpcClient({ url: String(line).trim(), name: 'bench', notice: () => {} })
      const feed = new RpcFeed(client, new RpcBlocks(client), clockWake(50))
      const mints = new CapturedMints(TOPICS.captureChangelog)
      let [blocks, bytes, began] = [0, 0, process.cpuUsage()]
      for await (const step of feed.range(1, WARM_UPS + BLOCKS, new AbortController().signal)) {
        if (step.type !== 'block') throw new Error(`expected a block, got ${JSON.stringify(step)}`)
        const frame = frameOfLive(step.block, 'confirmed', mints)
        for (const body of splitFrame(frame)) bytes += rawRecordCodec.encode({ sequence: blocks, body }).length
        addMints(frame, mints)
        if (++blocks === WARM_UPS) began = process.cpuUsage()
      }
      const { user, system } = process.cpuUsage(began)
      const ms = (user + system) / 1_000 / BLOCKS
      const hours = Math.round((100 * ms * MISSED_BLOCKS) / MS_AN_HOUR) / 100
      return { value: Math.round(ms * 10) / 10, detail: { blocks: BLOCKS, bytes: Math.round(bytes / blocks), hours_for_6h_offline: hours } }
    } finally {
      server.kill()
    }
  },
}
