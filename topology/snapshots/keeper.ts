// Keeps snapshots of the compacted partitions that this process reads from their start, and serves them to later reads.

import { fingerprintOf } from '../../schemas/avro.ts'
import { messageOf } from '../../schemas/errors.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { Beginning, Log } from '../ports/log.ts'
import type { Notice } from '../ports/notice.ts'
import type { PartitionSnapshot, SnapshotExtent, SnapshotPlace, SnapshotStore } from '../ports/partition-snapshots.ts'
import { pause, within } from '../waiting/waiting.ts'
import { SNAPSHOT_LIMITS, type SnapshotLimits } from './limits.ts'
import { readTail } from './tail.ts'

/** Limit for `stop`: a running merge ends at its next read or write, but a read may wait for an unreachable broker. */
const STOP_MS_MAX = 1_000

export interface KeeperOptions {
  readonly log: Log
  readonly store: SnapshotStore
  /** Identities of topics (see `SnapshotPlace`) by topic name; topics without an identity have no snapshots. */
  readonly identities: ReadonlyMap<string, string>
  readonly notice: Notice
  /** Unix ms. */
  readonly wall?: () => number
  readonly limits?: Partial<SnapshotLimits>
}

/** A partition that was read from its start in this process. */
interface Kept {
  readonly topic: Topic
  readonly partition: number
  readonly place: SnapshotPlace
  /** What its snapshot covers; undefined if it has none. */
  covered: Covered | undefined
}
type Covered = SnapshotExtent & Pick<PartitionSnapshot, 'records'>
const extentOf = ({ next, madeAtMs, records }: PartitionSnapshot): Covered => ({ next, madeAtMs, records })

const placeOf = ({ name, schema }: Topic, partition: number, identity: string): SnapshotPlace => {
  return { topic: name, partition, identity, schema: fingerprintOf(schema) }
}

export class SnapshotKeeper {
  readonly #options: KeeperOptions
  readonly #limits: SnapshotLimits
  readonly #wall: () => number
  readonly #kept = new Map<string, Kept>()
  readonly #stopping = new AbortController()
  #running = Promise.resolve()
  /** True after a round with failures: the failures of the next round are probably the same, and are not reported again. */
  #isFailing = false

  constructor(options: KeeperOptions) {
    this.#options = options
    this.#limits = { ...SNAPSHOT_LIMITS, ...options.limits }
    this.#wall = options.wall ?? Date.now
  }
  /** Runs a round at each interval until `stop`. */
  start(): void {
    this.#running = this.#run()
  }
  async stop(): Promise<void> {
    this.#stopping.abort()
    await within(this.#running, STOP_MS_MAX)
  }
  /** The partition's snapshot; from this call on the keeper keeps it up to date. */
  async beginning(topic: Topic, partition: number): Promise<Beginning | undefined> {
    const identity = this.#options.identities.get(topic.name)
    if (identity === undefined || topic.cleanup !== 'compact') return undefined
    const name = `${topic.name}/${partition}`
    const kept = this.#kept.get(name) ?? { topic, partition, place: placeOf(topic, partition, identity), covered: undefined }
    this.#kept.set(name, kept)
    return this.#usable(kept)
  }
  /** Replaces each snapshot that is due, one after the other. A failure is a notice: without a snapshot the log is read instead. */
  async round(): Promise<void> {
    const madeAtMs = this.#wall()
    const failures: { readonly topic: string; readonly reason: string }[] = []
    // A snapshot ends at the end of the log that this process knows. If that end were outdated, records after the snapshot could be older
    // than `madeAtMs`. If the refresh fails, the log reports it.
    const isCurrent = await this.#options.log.refresh().then(
      () => true,
      () => false,
    )
    if (!isCurrent) return
    for (const [topic, kept] of this.#kept) {
      await this.#renew(kept, madeAtMs).catch((failure: unknown) => failures.push({ topic, reason: messageOf(failure) }))
      if (this.#stopping.signal.aborted) return
    }
    const [first] = failures
    if (first !== undefined && !this.#isFailing) this.#options.notice('snapshot_not_written', { ...first, partitions: failures.length })
    this.#isFailing = first !== undefined
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    for (;;) {
      await pause(this.#limits.roundMs, signal)
      if (signal.aborted) return
      await this.round()
    }
  }
  async #renew(kept: Kept, madeAtMs: number): Promise<void> {
    const { log, store } = this.#options
    const { topic, partition, place } = kept
    const end = log.end(topic, partition)
    if (!this.#isDue(kept, end, madeAtMs)) return
    for (let next = -1; next < end; ) {
      const former = await this.#usable(kept)
      const from = former?.next ?? log.start(topic, partition)
      const { signal } = this.#stopping
      try {
        const read = await readTail(log, kept, { from, end, bytesMax: this.#limits.mergeBytesMax }, signal)
        next = read.next
        const extent = { next, madeAtMs }
        kept.covered = { ...extent, records: await store.write(place, extent, read.tail.after(former, signal)) }
      } finally {
        await former?.close()
      }
    }
  }
  #isDue({ covered }: Kept, end: number, nowMs: number): boolean {
    if (covered === undefined) return end > 0
    const { tailOffsetsMin, tailShareMin, renewMs } = this.#limits
    return end - covered.next >= Math.max(tailOffsetsMin, tailShareMin * covered.records) || nowMs - covered.madeAtMs >= renewMs
  }
  /** The stored snapshot, unless the log no longer continues it. */
  async #usable(kept: Kept): Promise<PartitionSnapshot | undefined> {
    const { store, notice } = this.#options
    const snapshot = await store.open(kept.place)
    const reason = snapshot && this.#refusal(kept, snapshot)
    kept.covered = reason === undefined ? snapshot && extentOf(snapshot) : undefined
    if (snapshot === undefined || reason === undefined) return snapshot
    notice('snapshot_refused', { topic: `${kept.topic.name}/${kept.partition}`, reason })
    await snapshot.close()
    await store.remove(kept.place)
    return undefined
  }
  #refusal({ topic, partition }: Kept, { next, madeAtMs }: SnapshotExtent): string | undefined {
    const { log } = this.#options
    const [ageMs, start, end] = [this.#wall() - madeAtMs, log.start(topic, partition), log.end(topic, partition)]
    if (ageMs < 0) return `it is ${-ageMs} ms newer than this machine's clock`
    if (ageMs >= this.#limits.ageMsMax) return `it is ${Math.floor(ageMs / 60_000)} min old: tombstones written since may be gone`
    if (next > end) return `it ends at offset ${next}, the log at ${end}`
    if (next < start) return `it ends at offset ${next}, the log begins at ${start}`
    if (next < log.tombstoneFloor(topic, partition)) return `it ends at offset ${next}: tombstones written since may be gone`
    return undefined
  }
}
