// The launchpad's tokens that are still dealt in: of these a frame keeps every transfer, whoever makes it.
import { capturedMintCodec } from '../../../schemas/codecs.ts'
import type { Topics } from '../../../schemas/topics.ts'
import type { OutRecord, SourceLog } from '../../ports/log.ts'
import type { KeptLogs } from './launchpad-logs.ts'

/** A token that curves did not deal in for so long is forgotten: 24 hours. */
const SILENT_BLOCKS_MAX = 864_000
/** A token's block on the log may be so much older than it is: 6 hours. One record a token then, hardly ever two. */
const WRITTEN_BLOCKS_MAX = 216_000
/** Ten times the launches of today in 24 hours, and those that live longer: some 60 MB. */
const TOKENS_MAX = 500_000
const SWEEP_EVERY_BLOCKS = 5_000
const READ = { recordsMax: 10_000, bytesMax: 4 * 1024 * 1024 }

interface Known {
  seen: number
  written: number
}

/** A set that forgets. What a dead branch showed stays: a token that never was has no transfers. */
export class CapturedTokens {
  readonly #topic: Topics['captureChangelog']
  /** By address, the one that was seen last at the end. */
  readonly #known = new Map<string, Known>()
  #unwritten: OutRecord[] = []
  #sweptAt = 0

  constructor(topic: Topics['captureChangelog']) {
    this.#topic = topic
  }
  has(address: string): boolean {
    return this.#known.has(address)
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
  /** Takes what a block showed. */
  note(block: number, { launched, dealt }: Pick<KeptLogs, 'launched' | 'dealt'>): void {
    for (const address of launched) this.#touch(address, block)
    for (const address of dealt) if (this.has(address)) this.#touch(address, block)
    this.#sweep(block)
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
    if (isDue) this.#write(address, capturedMintCodec.encode({ number: block }))
  }
  #write(address: string, value: Buffer | null): void {
    this.#unwritten.push({ topic: this.#topic, partition: 0, key: Buffer.from(address.slice(2), 'hex'), value })
  }
  /** Forgets from the front, which is the oldest but for a restart. */
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
