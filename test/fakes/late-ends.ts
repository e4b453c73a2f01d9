// A proxy in front of a real broker that delivers EndTxn late: it holds an EndTxn back, closes the client's connection, and delivers the
// EndTxn during the next transaction of the same id. It also cuts connections at random, before a request or before its response.
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import type { Dice } from '../simulation/dice.ts'

const PRODUCE = 0
const INIT_PRODUCER = 22
const ADD_PARTITIONS = 24
const END = 26
const NAMED: ReadonlySet<number> = new Set([PRODUCE, INIT_PRODUCER, ADD_PARTITIONS, END])
/** By API key the first version with compact strings, and with tagged fields in the headers of request and response. */
const COMPACT_FROM: ReadonlyMap<number, number> = new Map([
  [PRODUCE, 9],
  [INIT_PRODUCER, 2],
  [ADD_PARTITIONS, 3],
  [END, 3],
])

/** When a held EndTxn arrives in the next transaction: before its first record, between two of its writes, or right before its end. */
const MOMENTS = ['before', 'between', 'at the end'] as const
type Moment = (typeof MOMENTS)[number]

export interface LateEndsOptions {
  /** Beginning of the id whose transactions are disturbed; all others pass unchanged. */
  readonly transactionalId: string
  readonly dice: Dice
  /** Share of EndTxn requests that are held, and share of the id's other requests at which the connection is cut, each 0 to 1. */
  readonly heldShare: number
  readonly cutShare: number
}

interface Held {
  readonly frame: Buffer
  readonly moment: Moment
  /** Transactions of the id that had begun when it was held. */
  readonly begun: number
}

export class LateEnds {
  /** Error codes of the broker for late EndTxn requests, with their counts. */
  readonly answers = new Map<number, number>()
  cuts = 0
  #options: LateEndsOptions | undefined
  readonly #server: Server
  readonly #clients = new Set<Socket>()
  #held: Held | undefined
  #begun = 0
  #writes = 0
  /** False from an EndTxn until the next transaction's first write. */
  #isInTransaction = false

  private constructor(server: Server) {
    this.#server = server
    server.on('connection', (client) => this.#serve(client))
  }
  /** Listens on `port` and passes everything to the broker until `hold` is called. */
  static async listen(port: number, brokerPort: number): Promise<LateEnds> {
    const server = createServer()
    const proxy = new LateEnds(server)
    proxy.#brokerPort = brokerPort
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return proxy
  }
  #brokerPort = 0
  hold(options: LateEndsOptions): void {
    this.#options = options
  }
  /** Passes everything from now on; drops what is held. */
  pass(): void {
    this.#options = undefined
    this.#held = undefined
  }
  get late(): number {
    return [...this.answers.values()].reduce((sum, count) => sum + count, 0)
  }
  /** Closes the connections of its clients too. */
  async close(): Promise<void> {
    this.#server.close()
    for (const client of this.#clients) client.destroy()
    await once(this.#server, 'close')
  }

  #serve(client: Socket): void {
    const broker = connect(this.#brokerPort, '127.0.0.1')
    this.#clients.add(client)
    const cut = (): void => {
      this.#clients.delete(client)
      client.destroy()
      broker.end()
    }
    broker.on('error', cut).on('close', cut).pipe(client)
    client.on('error', cut).on('close', cut)
    let turn = Promise.resolve()
    let bytes = Buffer.alloc(0)
    client.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      for (let size = sizeOf(bytes); size !== undefined; size = sizeOf(bytes)) {
        const frame = bytes.subarray(0, size)
        bytes = bytes.subarray(size)
        turn = turn.then(() => this.#pass(frame, client, broker)).catch(cut)
      }
    })
  }
  async #pass(frame: Buffer, client: Socket, broker: Socket): Promise<void> {
    const [options, apiKey] = [this.#options, frame.readInt16BE(4)]
    if (client.destroyed) return
    if (options === undefined || !NAMED.has(apiKey) || !idOf(frame).startsWith(options.transactionalId)) return void broker.write(frame)
    await this.#deliverBefore(apiKey)
    const { dice, heldShare, cutShare } = options
    if (apiKey === END && this.#held === undefined && dice.share() < heldShare) {
      this.#held = { frame: Buffer.from(frame), moment: dice.pick(MOMENTS), begun: this.#begun }
      client.destroy()
      return
    }
    const isCut = dice.share() < cutShare
    const isLost = isCut && dice.share() < 0.5
    if (isCut) this.cuts++
    if (!isLost) broker.write(frame)
    if (isCut) client.destroy()
  }
  /** Delivers the held EndTxn if it is due before the current request. */
  async #deliverBefore(apiKey: number): Promise<void> {
    const isWrite = apiKey === PRODUCE || apiKey === ADD_PARTITIONS
    if (isWrite && !this.#isInTransaction) {
      this.#begun++
      this.#writes = 0
    }
    this.#isInTransaction = isWrite
    if (apiKey === PRODUCE) this.#writes++
    const held = this.#held
    if (held === undefined || held.begun === this.#begun) return
    const isDue = apiKey === END || (apiKey === PRODUCE && (held.moment === 'before' || (held.moment === 'between' && this.#writes > 1)))
    if (!isDue) return
    this.#held = undefined
    const code = await this.#answerTo(held.frame)
    this.answers.set(code, (this.answers.get(code) ?? 0) + 1)
  }
  async #answerTo(frame: Buffer): Promise<number> {
    const broker = connect(this.#brokerPort, '127.0.0.1')
    broker.write(frame)
    let bytes = Buffer.alloc(0)
    for await (const chunk of broker) {
      bytes = Buffer.concat([bytes, chunk as Buffer])
      if (sizeOf(bytes) !== undefined) break
    }
    // The error code follows length, correlation id, tags (compact versions only) and throttle time.
    return bytes.readInt16BE(isCompact(frame) ? 13 : 12)
  }
}

/** Bytes of the first request or response, once it is complete. */
const sizeOf = (bytes: Buffer): number | undefined => {
  if (bytes.length < 4) return undefined
  const size = 4 + bytes.readInt32BE(0)
  return bytes.length < size ? undefined : size
}
const isCompact = (frame: Buffer): boolean => frame.readInt16BE(6) >= (COMPACT_FROM.get(frame.readInt16BE(4)) ?? Number.POSITIVE_INFINITY)
/** The transactional id, the first field of these requests; after length, API key, version, correlation id and client. */
const idOf = (frame: Buffer): string => {
  const at = 14 + frame.readInt16BE(12)
  // Ids in tests have at most 126 bytes, so that their length takes one byte. It follows the byte of the empty tags.
  if (isCompact(frame)) return frame.toString('utf8', at + 2, at + 1 + frame.readUInt8(at + 1))
  return frame.toString('utf8', at + 2, at + 2 + Math.max(0, frame.readInt16BE(at)))
}
