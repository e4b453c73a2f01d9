// Connects the threads that fold: facts reach the tasks of other threads ahead of the log. Deliveries of one turn of the
// event loop to one thread share a message.
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { type FactCodecs, factCodecsOf } from '../../../schemas/codecs.ts'
import { assert, good } from '../../../schemas/errors.ts'
import type { Chain, Fact } from '../../../schemas/types.ts'
import type { Batch } from '../../engine/exchange/exchange-record.ts'
import type { Log } from '../../ports/log.ts'
import type { Delivery, Peers } from '../../runtime/local-folds.ts'
import { inputsOf, type Topology } from '../../topology.ts'

/** The connections of one thread to the others, as sent to that thread: the message must transfer `ports`. */
export interface PeerLinks {
  readonly index: number
  /** By index of the other thread; null at the thread's own index. */
  readonly ports: readonly (MessagePort | null)[]
  /** Numbers of running tasks by chain and partition: memory that all threads share. */
  readonly counts: SharedArrayBuffer
}

/** The largest number of partitions of any chain's tape. */
const partitionsOf = (log: Pick<Log, 'partitions'>, topologies: readonly Topology[]): number =>
  Math.max(...topologies.map((topology) => log.partitions(inputsOf(topology).tape)))

/** The links of all threads that fold; entry `n` is for the thread that folds the partitions `p` with `p % threads === n`. */
export const linkPeers = (threads: number, log: Pick<Log, 'partitions'>, topologies: readonly Topology[]): readonly PeerLinks[] => {
  const counts = new SharedArrayBuffer(topologies.length * partitionsOf(log, topologies) * Int32Array.BYTES_PER_ELEMENT)
  const ports = Array.from({ length: threads }, () => new Array<MessagePort | null>(threads).fill(null))
  for (let a = 0; a < threads; a++)
    for (let b = a + 1; b < threads; b++) {
      const { port1, port2 } = new MessageChannel()
      ;(ports[a] as (MessagePort | null)[])[b] = port1
      ;(ports[b] as (MessagePort | null)[])[a] = port2
    }
  return ports.map((own, index) => ({ index, ports: own, counts }))
}

export const portsOf = ({ ports }: PeerLinks): MessagePort[] => ports.filter((port) => port !== null)

/** A delivery with its facts encoded. */
interface Packed extends Omit<Delivery, 'batch'> {
  readonly chain: Chain
  readonly batch: Omit<Batch, 'facts'>
  /** Null: no facts. */
  readonly facts: Uint8Array | null
}

/** `topologies` must have the same order in all threads. */
export const peersOf = (log: Pick<Log, 'partitions'>, topologies: readonly Topology[], links: PeerLinks): Peers =>
  new LinkedPeers(links, topologies, partitionsOf(log, topologies))

class LinkedPeers implements Peers {
  readonly #links: PeerLinks
  readonly #chains: readonly Topology[]
  readonly #partitions: number
  readonly #codecs: ReadonlyMap<Chain, FactCodecs>
  /** By index of the receiving thread: deliveries of the current turn of the event loop. */
  readonly #unsent: Packed[][]

  constructor(links: PeerLinks, chains: readonly Topology[], partitions: number) {
    this.#links = links
    this.#chains = chains
    this.#partitions = partitions
    this.#codecs = new Map(chains.map(({ chain }) => [chain.name, factCodecsOf(chain.keys.bytes)]))
    this.#unsent = links.ports.map(() => [])
  }
  counts(chain: Chain): Int32Array {
    const index = this.#chains.findIndex((one) => one.chain.name === chain)
    return new Int32Array(this.#links.counts, index * this.#partitions * Int32Array.BYTES_PER_ELEMENT, this.#partitions)
  }
  send(chain: Chain, { batch: { facts, ...batch }, to, revision }: Delivery): void {
    const thread = to % this.#links.ports.length
    if (thread === this.#links.index) return
    const unsent = this.#unsent[thread] as Packed[]
    if (unsent.length === 0) queueMicrotask(() => this.#flush(thread))
    unsent.push({ chain, batch, to, revision, facts: facts.length === 0 ? null : this.#codecsOf(chain).many.encode(facts) })
  }
  listen(receive: (chain: Chain, delivery: Delivery) => void): void {
    const take = ({ chain, batch, to, revision, facts }: Packed): void => {
      const read = facts === null ? NONE : this.#codecsOf(chain).many.decode(Buffer.from(facts.buffer, facts.byteOffset, facts.length))
      assert(read.ok, 'a thread of this process has encoded the facts')
      receive(chain, { batch: { ...batch, facts: [...read.value] }, to, revision })
    }
    for (const port of portsOf(this.#links))
      port.on('message', (deliveries: readonly Packed[]) => {
        for (const delivery of deliveries) take(delivery)
      })
  }

  #flush(thread: number): void {
    const deliveries = this.#unsent[thread] as Packed[]
    this.#unsent[thread] = []
    this.#links.ports[thread]?.postMessage(deliveries)
  }
  #codecsOf(chain: Chain): FactCodecs {
    const codecs = this.#codecs.get(chain)
    assert(codecs !== undefined, `${chain} is a chain of this thread`)
    return codecs
  }
}

const NONE = good<Fact[]>([])
