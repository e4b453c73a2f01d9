// One gRPC stream of a node (Yellowstone): opened, read until it ends or falls silent, closed. Loaded only where it is used: it is native.
import type { SubscribeRequest, SubscribeUpdate } from '@triton-one/yellowstone-grpc'
import { EngineError } from '../../../../schemas/errors.ts'

/** A block of today takes 4-6 MB. */
const MESSAGE_BYTES_MAX = 256 * 1024 * 1024
const CONNECT_MS_MAX = 10_000
const KEEP_ALIVE_MS = 10_000
/** Slots come every 400 ms: a stream that is silent for so long is dead. */
const SILENT_MS_MAX = 15_000

export interface StreamAddress {
  /** http(s); may hold a key: never told to anybody. */
  readonly url: string
  readonly token: string | null
}

export interface StreamOptions {
  /** First slot, where the node shall go back; null: from now on. */
  readonly fromSlot: number | null
  readonly stop: AbortSignal
  /** The limit of this file where absent. */
  readonly silentMsMax?: number
}

/** Blocks with all their transactions as they are processed, and what becomes of each slot. */
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

/** Answers a ping: what stands between may close a stream on which the client never says anything. */
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
  // The package's types tell of its CommonJS form, whose default lies one deeper; Node takes the other form.
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

/** The oldest slot that the node can go back to; null where it does not say. @throws what the connection fails with */
export const firstReplayed = async (address: StreamAddress): Promise<number | null> => {
  const { client } = await connect(address)
  const info = await client.subscribeReplayInfo().catch(() => undefined)
  return info?.firstAvailable === undefined ? null : Number(info.firstAvailable)
}

/** The newest slot at `confirmed`. @throws what the connection fails with */
export const confirmedSlot = async (address: StreamAddress): Promise<number> => {
  const { client, processed } = await connect(address)
  const { slot } = await client.getSlot(processed)
  return Number(slot)
}

/**
 * Updates until the node ends the stream or `stop` fires. @throws what it ends with, `silent` after too long a silence, and EngineError
 * grpc_native where the client does not run
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
