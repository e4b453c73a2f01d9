// `--source live` of this chain: a node by JSON-RPC, woken by its WebSocket where it has one.
import type { SourceLog } from '../../ports/log.ts'
import type { Notice } from '../../ports/notice.ts'
import type { LiveCapture } from '../../topology.ts'
import type { OpenSource } from '../source.ts'
import type { LaunchpadLogs } from './launchpad-logs.ts'
import { AltSource } from './source.ts'
import { steadyNode } from './steady-node.ts'
import { viemNode } from './viem-node.ts'

export interface OpenAltOptions {
  /** ALT_RPC_URL, http(s); may hold a key. */
  readonly rpcUrl: string
  /** ALT_WS_URL, ws(s); may hold a key. Null: the node is asked every 250 ms instead. */
  readonly wsUrl: string | null
  /** EIP-155 id of the chain; a node of another one is refused. */
  readonly chainId: number
  /** Which logs are the launchpad's, with ALT_FACTORIES and ALT_ROUTERS in it. */
  readonly launchpad: LaunchpadLogs
  readonly notice: Notice
  readonly stop: AbortSignal
  /** It ends after so many frames, over all starts; absent: never. */
  readonly framesMax?: number
}

/** Opens the live chain on the log. @throws as `AltSource.open` */
export const openAlt = async (log: SourceLog, topics: LiveCapture, options: OpenAltOptions): Promise<OpenSource> => {
  const { rpcUrl, wsUrl, chainId, launchpad, notice, stop, framesMax } = options
  const node = steadyNode(viemNode({ rpcUrl, wsUrl }), { name: 'ALT_RPC_URL', notice })
  const source = new AltSource(log, topics, {
    ...{ node, chainId, launchpad, notice, stop, wall: Date.now },
    ...(framesMax === undefined ? {} : { framesMax }),
  })
  await source.open()
  const words = wsUrl === null ? 'JSON-RPC' : 'JSON-RPC and WebSocket'
  return { source, facts: `live: EVM chain ${chainId} by ${words}`, words: `the live chain ${chainId} by ${words}` }
}
