// The launchpad's contracts: its factories, and the curves and tokens that these announced. Only their logs go on; everybody else's that
// have the same topics, clones of the launchpad among them, are left out.
import { capturedMintCodec } from '../../../schemas/codecs.ts'
import type { Topics } from '../../../schemas/topics.ts'
import type { OutRecord, SourceLog } from '../../ports/log.ts'
import type { NodeLog } from './node.ts'

/** TokenLaunched(address indexed token, address indexed curve, address indexed deployer, address, uint256, uint256) of a factory. */
export const TOKEN_LAUNCHED = '0x8d4aad4953d0ca700d468f3753aa14432d1b35b43ec6409f051fb6aa43a89607'
/** A contract without logs for so long is forgotten: 24 hours. */
const SILENT_BLOCKS_MAX = 864_000
/** A contract's block on the log may be so much older than it is: 6 hours. One record a contract then, hardly ever two. */
const WRITTEN_BLOCKS_MAX = 216_000
/** Ten times the launches of today in 24 hours, a curve and a token each: some 80 MB. */
const CONTRACTS_MAX = 500_000
const SWEEP_EVERY_BLOCKS = 5_000
const READ = { recordsMax: 10_000, bytesMax: 4 * 1024 * 1024 }
const ADDRESS_FROM = 26

interface Known {
  seen: number
  written: number
}

export interface Launchpad {
  /** Lower case hex with 0x. */
  readonly factories: readonly string[]
  /** Contracts that trade for wallets: their logs go on beside the launchpad's in the same transaction. */
  readonly routers: readonly string[]
}

/** A set that forgets. What a dead branch announced stays: a contract that never was has no logs. */
export class LaunchpadContracts {
  readonly #topic: Topics['captureChangelog']
  readonly #factories: ReadonlySet<string>
  readonly #routers: ReadonlySet<string>
  /** By address, the one that was seen last at the end. */
  readonly #known = new Map<string, Known>()
  #unwritten: OutRecord[] = []
  #sweptAt = 0

  constructor(topic: Topics['captureChangelog'], { factories, routers }: Launchpad) {
    this.#topic = topic
    this.#factories = new Set(factories)
    this.#routers = new Set(routers)
  }
  /** Everything an earlier start wrote. */
  async restore(log: SourceLog): Promise<void> {
    const topic = this.#topic
    for (let offset = log.start(topic, 0); offset < log.end(topic, 0); ) {
      const records = await log.read(topic, 0, offset, READ)
      for (const { key, value } of records) {
        const address = `0x${Buffer.from(key).toString('hex')}`
        const read = value === null ? undefined : capturedMintCodec.decode(value)
        this.#known.delete(address)
        if (read?.ok) this.#known.set(address, { seen: read.value.number, written: read.value.number })
      }
      offset = (records.at(-1)?.offset ?? log.end(topic, 0)) + 1
    }
  }
  /** Those of a block's logs that go on, in their order. Learns of launches first: a token moves before its launch is announced. */
  keep(block: number, logs: readonly NodeLog[]): readonly NodeLog[] {
    for (const { address, topics } of logs)
      if (topics[0] === TOKEN_LAUNCHED && topics.length === 4 && this.#factories.has(address))
        for (const topic of topics.slice(1, 3)) this.#touch(`0x${topic.slice(ADDRESS_FROM)}`, block)
    const own = logs.filter(({ address }) => this.#factories.has(address) || this.#known.has(address))
    for (const { address } of own) if (this.#known.has(address)) this.#touch(address, block)
    this.#sweep(block)
    if (own.length === 0) return own
    const touched = new Set(own.map(({ transactionHash }) => transactionHash))
    const isRouted = ({ address, transactionHash }: NodeLog): boolean => this.#routers.has(address) && touched.has(transactionHash)
    return logs.filter((log) => isRouted(log) || this.#factories.has(log.address) || this.#known.has(log.address))
  }
  /** What the log must keep since the last call. */
  takeRecords(): readonly OutRecord[] {
    const records = this.#unwritten
    this.#unwritten = []
    return records
  }

  #touch(address: string, block: number): void {
    const written = this.#known.get(address)?.written ?? Number.NEGATIVE_INFINITY
    const isDue = block - written >= WRITTEN_BLOCKS_MAX
    this.#known.delete(address)
    this.#known.set(address, { seen: block, written: isDue ? block : written })
    if (isDue) this.#note(address, capturedMintCodec.encode({ number: block }))
  }
  #note(address: string, value: Buffer | null): void {
    this.#unwritten.push({ topic: this.#topic, partition: 0, key: Buffer.from(address.slice(2), 'hex'), value })
  }
  /** Forgets from the front, which is the oldest but for a restart. */
  #sweep(block: number): void {
    if (Math.abs(block - this.#sweptAt) < SWEEP_EVERY_BLOCKS) return
    this.#sweptAt = block
    for (const [address, { seen }] of this.#known) {
      if (block - seen <= SILENT_BLOCKS_MAX && this.#known.size <= CONTRACTS_MAX) break
      this.#known.delete(address)
      this.#note(address, null)
    }
  }
}
