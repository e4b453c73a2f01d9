// Brokers that lead the partitions of one topic and answer fetches in Kafka's wire format. Every record is decided at once: no
// transactions, no replicas, no compaction, and no request but a fetch and the refresh of the leaders. An answer has records of one
// partition.
import type { Broker, Cluster } from 'kafkajs'
import { Scanner, Writer } from '../../../topology/logs/kafka/wire/wire-format.ts'
import { pause } from '../../../topology/waiting/waiting.ts'
import { at, batchOf } from '../../fixtures/record-batches.ts'

const NOT_LEADER = 6
const HELD_POLL_MS = 5

interface Asked {
  readonly partition: number
  readonly from: number
}

export class FakeLeaders {
  readonly #topicName: string
  readonly #values: Buffer[][]
  /** By partition. */
  readonly #leaders: number[]
  /** Ends of partitions, by node and partition, as former leaders know them that were cut off from the others. */
  readonly #ends = new Map<string, number>()
  readonly #brokers = new Map<number, Broker>()

  constructor(topicName: string, leaders: readonly number[]) {
    this.#topicName = topicName
    this.#values = leaders.map(() => [])
    this.#leaders = [...leaders]
  }
  append(partition: number): void {
    const records = this.#values[partition] as Buffer[]
    records.push(at(records.length, batchOf([{ key: Buffer.from('k'), value: Buffer.from(`v${records.length}`) }])))
  }
  /** The former leader refuses from now on; each client learns the new one when it refreshes. */
  move(partition: number, nodeId: number): void {
    this.#leaders[partition] = nodeId
  }
  /** The former leader does not notice: it goes on answering with what it has. */
  depose(partition: number, nodeId: number): void {
    this.#ends.set(`${this.#leaders[partition]}/${partition}`, (this.#values[partition] as Buffer[]).length)
    this.move(partition, nodeId)
  }
  client(): Cluster {
    let known = [...this.#leaders]
    return {
      connect: async () => {},
      refreshMetadata: async () => {
        known = [...this.#leaders]
      },
      findLeaderForPartitions: (_topic: string, [partition]: readonly number[]) => ({ [String(known[partition as number])]: [partition] }),
      findBroker: async ({ nodeId }: { readonly nodeId: string }) => this.#broker(Number(nodeId)),
    } as unknown as Cluster
  }

  #broker(nodeId: number): Broker {
    const known = this.#brokers.get(nodeId)
    if (known !== undefined) return known
    const send = async ({ request }: { readonly request: { encode(): Promise<{ readonly buf: Buffer }> } }): Promise<Buffer> =>
      this.#fetch(nodeId, (await request.encode()).buf)
    const broker = { connectionPool: { send } } as unknown as Broker
    this.#brokers.set(nodeId, broker)
    return broker
  }
  async #fetch(nodeId: number, request: Buffer): Promise<Buffer> {
    const { waitMs, asked } = decodeFetch(request)
    const isAnswered = (): boolean =>
      asked.some(({ partition, from }) => (this.#shown(nodeId, partition)?.length ?? Number.POSITIVE_INFINITY) > from)
    for (let left = waitMs; left > 0 && !isAnswered(); left -= HELD_POLL_MS) await pause(HELD_POLL_MS)
    return this.#answer(nodeId, asked)
  }
  /** Records that the node returns; undefined if it knows that it does not lead the partition. */
  #shown(nodeId: number, partition: number): readonly Buffer[] | undefined {
    const values = this.#values[partition] as Buffer[]
    if (this.#leaders[partition] === nodeId) return values
    const end = this.#ends.get(`${nodeId}/${partition}`)
    return end === undefined ? undefined : values.slice(0, end)
  }
  #answer(nodeId: number, asked: readonly Asked[]): Buffer {
    const head = new Writer(14 + Buffer.byteLength(this.#topicName))
    head.int32(0)
    head.int32(1)
    head.string(this.#topicName)
    head.int32(asked.length)
    const shown = asked.find(({ partition, from }) => (this.#shown(nodeId, partition)?.length ?? 0) > from)
    return Buffer.concat([head.buffer, ...asked.flatMap((one) => this.#ofPartition(nodeId, one, one === shown))])
  }
  #ofPartition(nodeId: number, { partition, from }: Asked, isShown: boolean): Buffer[] {
    const shown = this.#shown(nodeId, partition)
    const values = shown ?? []
    const batches = Buffer.concat(isShown ? values.slice(from) : [])
    const head = new Writer(30)
    head.int32(partition)
    head.int16(shown === undefined ? NOT_LEADER : 0)
    head.int64(BigInt(values.length))
    head.int64(BigInt(values.length))
    head.int32(0)
    head.int32(batches.length)
    return [head.buffer, batches]
  }
}

const decodeFetch = (request: Buffer): { readonly waitMs: number; readonly asked: readonly Asked[] } => {
  const scan = new Scanner(request, 4)
  const waitMs = scan.int32()
  // Minimum and maximum bytes, isolation.
  scan.skip(9)
  const topics = scan.list(() => {
    scan.string()
    return scan.list(() => {
      const [partition, from] = [scan.int32(), scan.int64()]
      scan.skip(4)
      return { partition, from }
    })
  })
  return { waitMs, asked: topics.flat() }
}
