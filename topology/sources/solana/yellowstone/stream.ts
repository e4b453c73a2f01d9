// One gRPC stream of a node (Yellowstone): opens, reads until it ends or falls silent, closes. Loaded on demand, because it is native code.
import type { SubscribeRequest, SubscribeUpdate } from '@triton-one/yellowstone-grpc'
import { EngineError } from '../../../../schemas/errors.ts'

/** Today's blocks have 4-6 MB. */
const MESSAGE_BYTES_MAX = 256 * 1024 * 1024
const CONNECT_MS_MAX = 10_000
const KEEP_ALIVE_MS = 10_000
/** Slots come every 400 ms: a stream silent for this long is dead. */
const SILENT_MS_MAX = 15_000

export interface StreamAddress {
  /** http(s); may contain a key: never printed. */
  readonly url: string
  readonly token: string | null
}

export interface StreamOptions {
  /** First slot to replay; null: starts at the current slot. */
  readonly fromSlot: number | null
  readonly stop: AbortSignal
  /** The limit of this file if absent. */
  readonly silentMsMax?: number
}

/** Subscribes to blocks with all transactions at `processed`, and to slot status updates. */
const requestOf = (fromSlot: number | null, processed: number): SubscribeRequest => ({
  accounts: {},
  slots: { slots: { filterByCommitment: false, interslotUpdates: true } },
  transactions: {},
  transactionsStatus: {},
  blocks: { blocks: { accountInclude: [], includeTransactions: true, includeAccounts: false, includeEntries: false } },
  blocksMeta: {},
  entry: {},
  accountsDataSlice: [],
  commitment: processed,
  ...(fromSlot === null ? {} : { fromSlot: String(fromSlot) }),
})

/** Response to a ping: proxies may close a stream on which the client never sends anything. */
const PING: SubscribeRequest = {
  accounts: {},
  slots: {},
  transactions: {},
  transactionsStatus: {},
  blocks: {},
  blocksMeta: {},
  entry: {},
  accountsDataSlice: [],
  ping: { id: 1 },
}

const connect = async ({ url, token }: StreamAddress) => {
  const { default: given, CommitmentLevel } = await import('@triton-one/yellowstone-grpc').catch((cause: unknown) => {
    const words = `the gRPC client has no build for ${process.platform} ${process.arch}: unset SOLANA_GRPC_URL and set SOLANA_RPC_URL`
    throw new EngineError('grpc_native', words, { cause })
  })
  // The package's types describe its CommonJS form, whose default export is nested; Node loads the ESM form.
  const Client = ('default' in given ? given.default : given) as typeof given.default
  const client = new Client(url, token ?? undefined, {
    grpcMaxDecodingMessageSize: MESSAGE_BYTES_MAX,
    grpcConnectTimeout: CONNECT_MS_MAX,
    grpcHttp2KeepAliveInterval: KEEP_ALIVE_MS,
    grpcKeepAliveWhileIdle: true,
  })
  await client.connect()
  return { client, processed: CommitmentLevel.PROCESSED }
}

/** The oldest slot that the node can replay; null if it does not report one. @throws the connection error */
export const firstReplayed = async (address: StreamAddress): Promise<number | null> => {
  const { client } = await connect(address)
  const info = await client.subscribeReplayInfo().catch(() => undefined)
  return info?.firstAvailable === undefined ? null : Number(info.firstAvailable)
}

/** The newest slot at `processed`. @throws the connection error */
export const newestSlot = async (address: StreamAddress): Promise<number> => {
  const { client, processed } = await connect(address)
  const { slot } = await client.getSlot(processed)
  return Number(slot)
}

/**
 * Yields updates until the node ends the stream or `stop` fires. @throws the stream's error, `silent` after too long without a message, and
 * EngineError `grpc_native` if the client does not run on this platform
 */
export async function* streamOf(
  address: StreamAddress,
  { fromSlot, stop, silentMsMax = SILENT_MS_MAX }: StreamOptions,
): AsyncGenerator<SubscribeUpdate> {
  const { client, processed } = await connect(address)
  const stream = await client.subscribe(requestOf(fromSlot, processed))
  const end = (): void => void stream.destroy()
  const isSilent = (): void => void stream.destroy(new Error('silent'))
  let timer = setTimeout(isSilent, silentMsMax)
  stop.addEventListener('abort', end, { once: true })
  try {
    if (stop.aborted) return
    for await (const update of stream as AsyncIterable<SubscribeUpdate>) {
      clearTimeout(timer)
      if (update.ping !== undefined) stream.write(PING)
      yield update
      timer = setTimeout(isSilent, silentMsMax)
    }
  } catch (failure) {
    if (!stop.aborted) throw failure
  } finally {
    clearTimeout(timer)
    stop.removeEventListener('abort', end)
    stream.destroy()
  }
}
