// Measures from outside, on Kafka, how long each partition was not processed, and whether a frozen process left a transaction open.
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster } from 'kafkajs'
import { createClient, createCluster } from '../../topology/logs/kafka/client.ts'
import { type Fetched, type FetchLimits, fetchOne, READ_UNCOMMITTED } from '../../topology/logs/kafka/wire/fetch.ts'
import type { Log } from '../../topology/ports/log.ts'
import { TOPICS } from '../fixtures/topics.ts'
import type { SharedKafka } from '../services/shared.ts'

const POLL_MS = 200
/** The group notices a missing member after this (`sessionTimeout`). */
const SESSION_MS = 6_000
/** Time for the others to rebalance, take over, restore and commit. */
const TAKEOVER_MS_MAX = 5_000
const GAP_MS_MAX = SESSION_MS + TAKEOVER_MS_MAX
/** Limit until all partitions are processed for the first time. */
const BEGUN_MS_MAX = 120_000

/**
 * Every commit of a fold writes to its partition of `progress`. While frames arrive, a partition's gap starts at its newest commit, or at a
 * process's crash or freeze if that was later: the group cannot notice it before the session timeout. Joins, orderly leaves and returning
 * processes excuse nothing. On a shared machine, time in which the main thread of a process waited for a processor is subtracted (as
 * counted by Linux; the longest wait of any process counts).
 */
export class WorkGaps {
  readonly #log: Log
  readonly #workedMs: number[]
  readonly #longestMs: number[]
  readonly #late = new Set<string>()
  /** Pids of the measured processes. */
  readonly #pids: () => readonly number[]
  #delays: ReadonlyMap<number, number> = new Map()
  /** Time in which the processes had the processors they wanted. */
  #nowMs = 0
  #starvedMs = 0
  #isFailing = false
  #failedMs = 0
  #looking: Promise<void> = Promise.resolve()
  readonly #over = new AbortController()

  constructor(log: Log, pids: () => readonly number[]) {
    this.#log = log
    this.#pids = pids
    const partitions = log.partitions(TOPICS.progress)
    this.#workedMs = Array.from({ length: partitions }, () => 0)
    this.#longestMs = Array.from({ length: partitions }, () => 0)
  }
  /** Milliseconds by partition. */
  get longestMs(): readonly number[] {
    return this.#longestMs
  }
  /** Partitions that were not processed for too long, with the time. */
  get late(): readonly string[] {
    return [...this.#late]
  }
  /** Called when a process crashes or freezes. */
  failing(): void {
    this.#isFailing = true
  }
  /** Subtracted milliseconds. */
  get starvedMs(): number {
    return Math.round(this.#starvedMs)
  }
  /** Resolves when the gaps of all failures so far are over, if nothing fails meanwhile. */
  async calm(): Promise<void> {
    while (this.#isFailing || this.#nowMs < this.#failedMs + GAP_MS_MAX + POLL_MS) await Promise.race([pause(POLL_MS), this.#looking])
  }
  /** Resolves when every partition was processed once; gaps are measured from then on. */
  async start(): Promise<void> {
    const ends = this.#ends()
    for (const until = Date.now() + BEGUN_MS_MAX; this.#ends().some((end, at) => end <= (ends[at] ?? 0)); await pause(POLL_MS)) {
      await this.#log.refresh()
      if (Date.now() > until) throw new Error(`not every partition is processed after ${BEGUN_MS_MAX} ms: ${this.#ends().join(' ')}`)
    }
    this.#looking = this.#look()
    this.#looking.catch(() => {})
  }
  async stop(): Promise<void> {
    this.#over.abort()
    await this.#looking
    await this.#log.close()
  }

  async #look(): Promise<void> {
    let lookedMs = performance.now()
    this.#delays = delaysOf(this.#pids())
    for (let before = this.#ends(); !this.#over.signal.aborted; await pause(POLL_MS)) {
      await this.#log.refresh()
      this.#pass(performance.now() - lookedMs)
      lookedMs = performance.now()
      const ends = this.#ends()
      for (const [partition, end] of ends.entries()) {
        this.#measure(partition)
        if (end > (before[partition] ?? 0)) this.#workedMs[partition] = this.#nowMs
      }
      before = ends
    }
  }
  #pass(ms: number): void {
    const delays = delaysOf(this.#pids())
    const waits = Array.from(delays, ([pid, delay]) => delay - (this.#delays.get(pid) ?? delay))
    const starved = Math.min(ms, Math.max(0, ...waits))
    this.#delays = delays
    this.#nowMs += ms - starved
    this.#starvedMs += starved
    if (this.#isFailing) this.#failedMs = this.#nowMs
    this.#isFailing = false
  }
  #measure(partition: number): void {
    const fromMs = Math.max(this.#workedMs[partition] ?? 0, this.#failedMs)
    const gapMs = Math.round(this.#nowMs - fromMs)
    this.#longestMs[partition] = Math.max(this.#longestMs[partition] ?? 0, gapMs)
    if (gapMs > GAP_MS_MAX) this.#late.add(`partition ${partition} in the gap that began ${Math.round(fromMs / 1_000)} s after the start`)
  }
  #ends(): number[] {
    return this.#workedMs.map((_, partition) => this.#log.end(TOPICS.progress, partition))
  }
}

/** Milliseconds that the main thread of each process has waited for a processor. */
const delaysOf = (pids: readonly number[]): ReadonlyMap<number, number> =>
  new Map(
    pids.flatMap((pid) => {
      try {
        return [[pid, Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6] as const]
      } catch {
        return []
      }
    }),
  )

/** Commits of running processes take much less. */
const OPEN_MS = 300

export class OpenTransactions {
  readonly #cluster: Cluster
  readonly #topicName: string
  readonly #partitions: number

  private constructor(cluster: Cluster, topicName: string, partitions: number) {
    this.#cluster = cluster
    this.#topicName = topicName
    this.#partitions = partitions
  }
  static async open({ brokers }: SharedKafka, prefix: string, partitions: number): Promise<OpenTransactions> {
    const cluster = createCluster(createClient({ brokers: brokers.split(','), security: { tls: false, sasl: null } }))
    const topicName = `${prefix}${TOPICS.progress.name}`
    await cluster.connect()
    await cluster.addTargetTopic(topicName)
    return new OpenTransactions(cluster, topicName, partitions)
  }
  /** Whether a partition has the same transaction open for this time. */
  async isAnyLeft(): Promise<boolean> {
    const before = await this.#ends()
    await pause(OPEN_MS)
    const after = await this.#ends()
    return after.some(
      ({ lastStableOffset, highWatermark }, at) => highWatermark > lastStableOffset && lastStableOffset === before[at]?.lastStableOffset,
    )
  }
  async close(): Promise<void> {
    await this.#cluster.disconnect()
  }

  #ends(): Promise<readonly Fetched[]> {
    const partitions = Array.from({ length: this.#partitions }, (_, partition) => {
      const name = `${this.#topicName}/${partition}`
      return { topic: TOPICS.progress, topicName: this.#topicName, partition, name }
    })
    const limits: FetchLimits = { waitMs: 0, bytesMax: 1, isolation: READ_UNCOMMITTED }
    return Promise.all(partitions.map((place) => fetchOne(this.#cluster, { topicPartition: place, from: 0, bytesMax: 1 }, limits)))
  }
}
