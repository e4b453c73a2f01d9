// The launchpad's tokens that are still traded: frames include all transfers of these, by anybody.
import { capturedMintCodec } from '../../../schemas/codecs.ts'
import type { Topics } from '../../../schemas/topics.ts'
import type { OutRecord, SourceLog } from '../../ports/log.ts'
import type { KeptLogs } from './launchpad-logs.ts'

/** A token without trades on curves for this long is removed: 24 hours. */
const SILENT_BLOCKS_MAX = 864_000
/** The stored block of a token may lag by this much: 6 hours. So most tokens have one record, few have two. */
const WRITTEN_BLOCKS_MAX = 216_000
/** Room for ten times today's launches in 24 hours and for the tokens that live longer: about 60 MB. */
const TOKENS_MAX = 500_000
const SWEEP_EVERY_BLOCKS = 5_000
const READ = { recordsMax: 10_000, bytesMax: 4 * 1024 * 1024 }

interface Known {
  seen: number
  written: number
}

/** A bounded set of tokens. Tokens of an orphaned branch stay: a token that never existed has no transfers. */
export class CapturedTokens {
  readonly #topic: Topics['captureChangelog']
  /** By address, ordered by last use. */
  readonly #known = new Map<string, Known>()
  #unwritten: OutRecord[] = []
  #sweptAt = 0

  constructor(topic: Topics['captureChangelog']) {
    this.#topic = topic
  }
  has(address: string): boolean {
    return this.#known.has(address)
  }
  /** Restores the records of earlier starts. */
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
  /** Adds the tokens of a block. */
  add(block: number, { launched, traded }: Pick<KeptLogs, 'launched' | 'traded'>): void {
    for (const address of launched) this.#touch(address, block)
    for (const address of traded) if (this.has(address)) this.#touch(address, block)
    this.#sweep(block)
  }
  /** Records to write since the last call. */
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
    if (isDue) this.#write(address, capturedMintCodec.encode({ number: block }))
  }
  #write(address: string, value: Buffer | null): void {
    this.#unwritten.push({ topic: this.#topic, partition: 0, key: Buffer.from(address.slice(2), 'hex'), value })
  }
  /** Removes tokens from the front of the map, where the least recently used are, except after a restart. */
  #sweep(block: number): void {
    if (Math.abs(block - this.#sweptAt) < SWEEP_EVERY_BLOCKS) return
    this.#sweptAt = block
    for (const [address, { seen }] of this.#known) {
      if (block - seen <= SILENT_BLOCKS_MAX && this.#known.size <= TOKENS_MAX) break
      this.#known.delete(address)
      this.#write(address, null)
    }
  }
}
