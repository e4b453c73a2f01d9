// The launchpad's coins that are still traded: frames include every balance change of these, wherever it happens.
import type { LaunchpadMints } from '../../../processors/chains/solana/normal-form.ts'
import { capturedMintCodec } from '../../../schemas/codecs.ts'
import { type Key, keyOf, mustKey, toBase58, toBytes } from '../../../schemas/keys.ts'
import type { Topics } from '../../../schemas/topics.ts'
import type { OutRecord, SourceLog } from '../../ports/log.ts'

/** A coin without launchpad activity for this long is removed: 24 hours, as long as a graduate is listed. */
const SILENT_SLOTS_MAX = 216_000
/** The stored slot of a coin may lag by this much: 6 hours. So most coins have one record, few have two. */
const WRITTEN_SLOTS_MAX = 54_000
/** Ten times today's launches in 24 hours, plus those that live longer: about 60 MB. */
const MINTS_MAX = 500_000
const SWEEP_EVERY_SLOTS = 1_000
const READ = { recordsMax: 10_000, bytesMax: 4 * 1024 * 1024 }

interface Known {
  seen: number
  written: number
}

/** A set with eviction. Coins of an orphaned branch stay: a coin that never existed has no balances. */
export class CapturedMints implements LaunchpadMints {
  readonly #topic: Topics['captureChangelog']
  /** By base58, ordered by last use. */
  readonly #known = new Map<string, Known>()
  #sweptAt = 0

  constructor(topic: Topics['captureChangelog']) {
    this.#topic = topic
  }
  has(mint: string): boolean {
    return this.#known.has(mint)
  }
  get size(): number {
    return this.#known.size
  }
  /** Restores the records of earlier starts. */
  async restore(log: SourceLog): Promise<void> {
    const topic = this.#topic
    for (let offset = log.start(topic, 0); offset < log.end(topic, 0); ) {
      const records = await log.read(topic, 0, offset, READ)
      for (const { key, value } of records) {
        const mint = toBase58(keyOf(key))
        const read = value === null ? undefined : capturedMintCodec.decode(value)
        this.#known.delete(mint)
        if (read?.ok) this.#known.set(mint, { seen: read.value.number, written: read.value.number })
      }
      offset = (records.at(-1)?.offset ?? log.end(topic, 0)) + 1
    }
  }
  /** Adds coins of a frame that are `proven` to be the launchpad's, and refreshes known coins in `seen`. Returns the records to write. */
  add(number: number, proven: Iterable<Key>, seen: Iterable<Key>): readonly OutRecord[] {
    const records: OutRecord[] = []
    for (const mint of proven) this.#touch(mint, number, records)
    for (const mint of seen) if (this.#known.has(toBase58(mint))) this.#touch(mint, number, records)
    return [...records, ...this.#sweep(number)]
  }

  #touch(mint: Key, number: number, into: OutRecord[]): void {
    const text = toBase58(mint)
    const written = this.#known.get(text)?.written ?? Number.NEGATIVE_INFINITY
    const isDue = number - written >= WRITTEN_SLOTS_MAX
    this.#known.delete(text)
    this.#known.set(text, { seen: number, written: isDue ? number : written })
    if (isDue) into.push(this.#record(toBytes(mint), capturedMintCodec.encode({ number })))
  }
  #record(key: Buffer, value: Buffer | null): OutRecord {
    return { topic: this.#topic, partition: 0, key, value }
  }
  /** Evicts from the front, which is the least recently used except after a restart. */
  #sweep(number: number): readonly OutRecord[] {
    if (Math.abs(number - this.#sweptAt) < SWEEP_EVERY_SLOTS) return []
    this.#sweptAt = number
    const gone: OutRecord[] = []
    for (const [mint, { seen }] of this.#known) {
      if (number - seen <= SILENT_SLOTS_MAX && this.#known.size <= MINTS_MAX) break
      this.#known.delete(mint)
      gone.push(this.#record(toBytes(mustKey(mint)), null))
    }
    return gone
  }
}
