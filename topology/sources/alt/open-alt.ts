// Opens the live source of this chain: a JSON-RPC node, with WebSocket announcements if configured.
import { nodeLogsOf } from '../../../processors/chains/alt/node-logs.ts'
import { assert } from '../../../schemas/errors.ts'
import { LAUNCHPAD } from '../../launchpad-in-use.ts'
import type { SourceLog } from '../../ports/log.ts'
import type { Notice } from '../../ports/notice.ts'
import type { LiveCapture } from '../../topology.ts'
import type { AltSettings } from '../live-settings.ts'
import type { LiveSourceContext, SourceHandle } from '../source.ts'
import { AltCheck } from './cross-check.ts'
import { AltSource } from './source.ts'
import { steadyNode } from './steady-node.ts'
import { viemNode } from './viem-node.ts'

/** EIP-155 id; nodes of other chains are refused. */
export const CHAIN_ID = 4663

/** Opens the live chain on the log. @throws as `AltSource.open` */
export const openAlt = async (log: SourceLog, topics: LiveCapture, ground: LiveSourceContext<AltSettings>): Promise<SourceHandle> => {
  const { settings, notice, stop, framesMax, waitsForChecks = false } = ground
  const { rpcUrl, wsUrl, checkUrl } = settings
  assert(rpcUrl !== null, 'settings without ALT_RPC_URL were already refused')
  const node = steadyNode(viemNode({ rpcUrl, wsUrl }), { name: 'ALT_RPC_URL', notice })
  const source = new AltSource(log, topics, {
    ...{ node, chainId: CHAIN_ID, launchpad: nodeLogsOf(LAUNCHPAD), notice, stop, wall: Date.now },
    ...(framesMax === undefined ? {} : { framesMax }),
    ...(checkUrl === null ? {} : { check: checkOf(checkUrl, notice), waitsForChecks }),
  })
  await source.open()
  const words = `${wsUrl === null ? 'JSON-RPC' : 'JSON-RPC and WebSocket'}${checkUrl === null ? '' : ', held against a second node'}`
  return { source, facts: `live: EVM chain ${CHAIN_ID} by ${words}`, words: `the live chain ${CHAIN_ID} by ${words}` }
}

const checkOf = (rpcUrl: string, notice: Notice): AltCheck => {
  const node = steadyNode(viemNode({ rpcUrl, wsUrl: null }), { name: 'ALT_CHECK_RPC_URL', notice })
  return new AltCheck({ node, launchpad: nodeLogsOf(LAUNCHPAD), notice })
}

export { nodeLogs } from '../../../processors/chains/alt/chain.ts'
export { POLL_MS } from './head-wake.ts'
export { NodeFailure } from './node.ts'
export { LOGS_MAX, SPAN_BLOCKS_MAX } from './span.ts'
export { viemNode } from './viem-node.ts'
