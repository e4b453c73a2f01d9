// Opens `--source live`: by gRPC if set, else by JSON-RPC; if both are set, each fills the gaps of the other.
import { assert } from '../../../schemas/errors.ts'
import type { SourceLog } from '../../ports/log.ts'
import type { Notice } from '../../ports/notice.ts'
import type { MintTopology } from '../../topology.ts'
import type { LiveSettings } from '../live-settings.ts'
import type { LiveSourceContext, SourceHandle } from '../source.ts'
import { CrossCheck } from './cross-check.ts'
import type { BlockReader, Feed, PlacedBlock } from './feed.ts'
import { RpcBlocks } from './rpc/blocks.ts'
import { RpcClient } from './rpc/client.ts'
import { RpcFeed } from './rpc/feed.ts'
import { clockWake, SlotWake } from './rpc/wake.ts'
import { LiveSource } from './source.ts'
import { YellowstoneFeed } from './yellowstone/feed.ts'

/** Opens the live chain on the log. @throws as `openSource`. */
export const openLive = async (
  log: SourceLog,
  topics: MintTopology['sources']['live'],
  { settings, notice, stop, framesMax, waitsForChecks = false }: LiveSourceContext<LiveSettings>,
): Promise<SourceHandle> => {
  const { feed, reader, words } = feedOf(settings, notice, stop)
  const check = checkOf(settings, notice)
  const source = new LiveSource(log, topics, {
    feed,
    reader,
    check,
    ...(framesMax === undefined ? {} : { framesMax }),
    waitsForChecks,
    acceptedFork: settings.acceptedFork,
    notice,
    wall: Date.now,
    stop,
  })
  await source.open()
  const checked = check === null ? '' : ', held against a second source'
  return { source, facts: `live: Solana mainnet by ${words}${checked}`, words: `the live chain by ${words}${checked}` }
}

const feedOf = (settings: LiveSettings, notice: Notice, stop: AbortSignal): { feed: Feed; reader: BlockReader | null; words: string } => {
  const { rpcUrl, wsUrl, grpcUrl: url, grpcToken: token } = settings
  assert(rpcUrl !== null || url !== null, 'settings of --source live have a node')
  if (rpcUrl === null)
    return { feed: new YellowstoneFeed({ url: url as string, token, fill: null, reader: null, notice }), reader: null, words: 'gRPC' }
  const client = new RpcClient({ url: rpcUrl, name: 'SOLANA_RPC_URL', notice })
  const reader = new RpcBlocks(client)
  const wake = wsUrl === null || url !== null ? clockWake() : new SlotWake(wsUrl, notice, stop)
  const rpc = new RpcFeed(client, reader, wake)
  if (url === null) return { feed: rpc, reader, words: 'JSON-RPC' }
  const fill = rpc.fill.bind(rpc)
  return { feed: new YellowstoneFeed({ url, token, fill, reader, notice }), reader, words: 'gRPC, filled in by JSON-RPC' }
}

const checkOf = ({ checkUrl: url }: LiveSettings, notice: Notice): CrossCheck | null =>
  url === null ? null : new CrossCheck({ client: new RpcClient({ url, name: 'SOLANA_CHECK_RPC_URL', notice }), notice })

/** The newest blocks up to `slot`, at most `count`, for checks. Slots without a block are left out. */
export const recentBlocks = async (url: string, slot: number, count: number, stop: AbortSignal): Promise<readonly PlacedBlock[]> => {
  const blocks = new RpcBlocks(new RpcClient({ url, name: 'SOLANA_RPC_URL', notice: () => {} }))
  const answers = await Promise.all(Array.from({ length: count }, (_, i) => blocks.once(slot - i, stop)))
  return answers.flatMap((answer) => (answer.ok ? [answer.block] : []))
}
export { CALLS_UNSEEN, faultOf, NODE_ADVICE, recordOf } from '../../../processors/chains/solana/recorded.ts'
export { SlotWake } from './rpc/wake.ts'
export { newestSlot } from './yellowstone/stream.ts'
