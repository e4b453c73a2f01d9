// A node with the gRPC interface of Yellowstone: sends its events to all subscribers, and replays them to those who ask for it.
import { type handleBidiStreamingCall, Metadata, Server, ServerCredentials, type ServerDuplexStream, status } from '@grpc/grpc-js'
import { GetSlotResponse, SubscribeReplayInfoResponse, SubscribeRequest, SubscribeUpdate } from '@triton-one/yellowstone-grpc'
import { type ChainBlock, streamBlock } from '../fixtures/chain-blocks.ts'

/** geyser.SlotStatus by name. */
export const SLOT = { processed: 0, confirmed: 1, finalized: 2, dead: 6 } as const

type Stream = ServerDuplexStream<SubscribeRequest, Buffer>

const PATH = '/geyser.Geyser'
const same = (bytes: Buffer): Buffer => bytes

/** Does not simulate: filters (every subscriber gets slots and whole blocks), commitment, compression, TLS. */
export class GrpcNode {
  readonly #server = new Server()
  readonly #streams = new Set<Stream>()
  readonly #sent: { readonly slot: number; readonly bytes: Buffer }[] = []
  readonly requests: SubscribeRequest[] = []
  /** x-token of each subscription. */
  readonly tokens: string[] = []
  /** Oldest slot that can be replayed; null: the node does not report it and refuses every replay. */
  firstAvailable: number | null = 0
  /** Number of subscriptions so far that asked for no replay. */
  fresh = 0
  /** Number of answers to pings so far. */
  pings = 0
  #port = 0

  async start(port = 0): Promise<void> {
    this.#server.addService(
      {
        Subscribe: {
          path: `${PATH}/Subscribe`,
          requestStream: true,
          responseStream: true,
          requestSerialize: same,
          requestDeserialize: (bytes: Buffer) => SubscribeRequest.decode(bytes),
          responseSerialize: same,
          responseDeserialize: same,
        },
        GetSlot: { path: `${PATH}/GetSlot`, ...UNARY },
        SubscribeReplayInfo: { path: `${PATH}/SubscribeReplayInfo`, ...UNARY },
      },
      {
        Subscribe: ((stream: Stream) => this.#subscribe(stream)) as handleBidiStreamingCall<SubscribeRequest, Buffer>,
        GetSlot: (_call: unknown, answer: (error: null, bytes: Buffer) => void) =>
          answer(null, Buffer.from(GetSlotResponse.encode({ slot: String(this.#sent.at(-1)?.slot ?? 0) }).finish())),
        SubscribeReplayInfo: (_call: unknown, answer: (error: object | null, bytes?: Buffer) => void) => {
          if (this.firstAvailable === null) return answer({ code: status.UNIMPLEMENTED, details: 'no' })
          return answer(null, Buffer.from(SubscribeReplayInfoResponse.encode({ firstAvailable: String(this.firstAvailable) }).finish()))
        },
      },
    )
    this.#port = await new Promise((resolve, reject) =>
      this.#server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      ),
    )
  }
  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }
  get subscribers(): number {
    return this.#streams.size
  }
  /** A block with all its transactions, except for the last `left`. */
  block(block: ChainBlock, left = 0): void {
    this.#send(block.slot, { block: streamBlock(block, left) })
  }
  slot(number: number, word: keyof typeof SLOT, parent?: number): void {
    this.#send(number, { slot: { slot: String(number), status: SLOT[word], ...(parent === undefined ? {} : { parent: String(parent) }) } })
  }
  /** Pings all subscribers. */
  ping(): void {
    for (const stream of this.#streams)
      stream.write(Buffer.from(SubscribeUpdate.encode(SubscribeUpdate.fromPartial({ ping: {} })).finish()))
  }
  /** Ends every stream like a node that goes down. */
  hangUp(): void {
    for (const stream of this.#streams) stream.emit('error', { code: status.UNAVAILABLE, details: 'goes down', metadata: new Metadata() })
    this.#streams.clear()
  }
  async stop(): Promise<void> {
    this.hangUp()
    this.#server.forceShutdown()
  }

  #subscribe(stream: Stream): void {
    this.tokens.push(String(stream.metadata.get('x-token')[0] ?? ''))
    stream.on('data', (request: SubscribeRequest) => {
      if (request.ping !== undefined) {
        this.pings++
        return
      }
      this.requests.push(request)
      const from = request.fromSlot === undefined ? undefined : Number(request.fromSlot)
      if (from !== undefined && (this.firstAvailable === null || from < this.firstAvailable)) {
        stream.emit('error', { code: status.INVALID_ARGUMENT, details: `slot ${from} is not available`, metadata: new Metadata() })
        return
      }
      if (from === undefined) this.fresh++
      else for (const { bytes } of this.#sent.filter(({ slot }) => slot >= from)) stream.write(bytes)
      this.#streams.add(stream)
    })
    const gone = (): void => void this.#streams.delete(stream)
    stream.on('end', gone).on('close', gone).on('cancelled', gone).on('error', gone)
  }
  #send(slot: number, update: { readonly block: ReturnType<typeof streamBlock> } | { readonly slot: object }): void {
    const bytes = Buffer.from(SubscribeUpdate.encode(SubscribeUpdate.fromPartial({ filters: ['all'], ...update } as never)).finish())
    this.#sent.push({ slot, bytes })
    for (const stream of this.#streams) stream.write(bytes)
  }
}

const UNARY = {
  requestStream: false,
  responseStream: false,
  requestSerialize: same,
  requestDeserialize: same,
  responseSerialize: same,
  responseDeserialize: same,
} as const
