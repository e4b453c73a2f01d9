// Runs retention once a minute: deletes what the plan names, and reports deletions forced by the cap. If the disk can hold less than the
// cap, what it can hold is the cap.
import { EngineError } from '../../../schemas/errors.ts'
import { isTimed, type TimedTopic } from '../../../schemas/topics.ts'
import type { Log } from '../../ports/log.ts'
import { type Topology, topicsOf } from '../../topology.ts'
import { pause } from '../../waiting/waiting.ts'
import { WatermarkReader } from '../watermark.ts'
import type { HistoryDays } from './history-days.ts'
import { agesOf, firstFrom, firstInTurn, measureAt, tapeSlot } from './log-times.ts'
import { planRetention, type RetentionPlan, type RetentionSettings } from './retention-plan.ts'

const INTERVAL_MS = 60_000

/** The part of a history that retention uses. */
export interface SunkHistory {
  /** See ClickHouseSink.status. */
  upTo(): number | null
  /** Null for a server with its own disks. */
  readonly days: HistoryDays | null
}

export interface RetentionOptions {
  readonly log: Log
  readonly topology: Topology
  /** Bytes used by the log, and bytes that can still be written. */
  readonly disk: { usedBytes(): number; spareBytes(): number }
  readonly settings: RetentionSettings
  /** Null: no history is written. */
  readonly history: () => SunkHistory | null
  /** Receives early deletions and failures. */
  readonly notice: (code: string, facts: Record<string, string | number>) => void
}

export class Retention {
  readonly #options: RetentionOptions
  readonly #marks: WatermarkReader
  readonly #ageOf: ReturnType<typeof agesOf>
  readonly #stopping = new AbortController()
  #historyBytes = 0

  constructor(options: RetentionOptions) {
    this.#options = options
    this.#ageOf = agesOf(options.topology.chain)
    this.#marks = new WatermarkReader(options.log, options.topology.operations.retention.reads.progress)
  }
  /** Runs until `stop`. Retries failures a minute later. Rejects only with a bug. */
  async run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await pause(INTERVAL_MS, this.#stopping.signal)
      if (this.#stopping.signal.aborted) return
      try {
        await this.once()
      } catch (failure) {
        if (!(failure instanceof EngineError)) throw failure
        this.#options.notice('retention_failed', { reason: failure.message })
      }
    }
  }
  stop(): void {
    this.#stopping.abort()
  }
  /** Runs once. @throws EngineError */
  async once(): Promise<RetentionPlan> {
    const history = this.#options.history()
    const folded = (await this.#marks.take([]))?.time ?? null
    const { days, bytes: historyBytes } = await this.#lookAt(history?.days ?? null)
    const { disk, settings, topology } = this.#options
    const { raw, tape } = topology.operations.retention.reads
    const bytes = disk.usedBytes() + historyBytes
    const capBytes = Math.min(settings.capBytes, bytes + disk.spareBytes())
    const facts = {
      folded,
      ...(history !== null && { sunk: history.upTo() }),
      bytes,
      oldestRaw: await this.#oldest(raw),
      oldestTape: await this.#oldest(tape),
      historyDays: days,
    }
    const plan = planRetention(facts, { ...settings, capBytes })
    if (plan.rawBefore !== null) await this.#trim(raw, plan.rawBefore)
    if (plan.tapeBefore !== null) await this.#trimTape(plan.tapeBefore)
    if (plan.dropDay !== null) await history?.days?.drop(plan.dropDay)
    if (plan.notice !== null) this.#options.notice(plan.notice, { bytes, cap: capBytes, day: plan.dropDay ?? '' })
    return plan
  }

  /** If the history does not respond, its last known size is used, and none of its days can be dropped. */
  async #lookAt(history: HistoryDays | null): Promise<{ readonly days: readonly string[]; readonly bytes: number }> {
    try {
      this.#historyBytes = (await history?.bytes()) ?? 0
      return { days: (await history?.days()) ?? [], bytes: this.#historyBytes }
    } catch (failure) {
      if (!(failure instanceof EngineError)) throw failure
      return { days: [], bytes: this.#historyBytes }
    }
  }
  #oldest(topic: TimedTopic): Promise<number | null> {
    return measureAt(this.#options.log, topic, 0, this.#options.log.start(topic, 0), this.#ageOf(topic).measure)
  }
  /** Trims all timed topics except the raw frames. */
  async #trimTape(before: number): Promise<void> {
    const { log, topology } = this.#options
    const { raw, tape } = topology.operations.retention.reads
    const first = await firstFrom(log, tape, 0, before, this.#ageOf(tape).measure)
    const slot = await measureAt(log, tape, 0, first, tapeSlot(topology.chain.tape))
    const least = { time: before, slot, epoch: slot && slot / topology.chain.framesPerEpoch }
    for (const topic of topicsOf(topology).filter(isTimed)) {
      const at = least[this.#ageOf(topic).by]
      if (topic !== raw && at !== null) await this.#trim(topic, at)
    }
  }
  async #trim(topic: TimedTopic, least: number): Promise<void> {
    const { log } = this.#options
    const { measure } = this.#ageOf(topic)
    const first = topic.schema === 'tape-correction' ? firstInTurn : firstFrom
    for (let partition = 0; partition < log.partitions(topic); partition++) {
      const offset = await first(log, topic, partition, least, measure)
      if (offset > log.start(topic, partition)) await log.trim(topic, partition, offset)
    }
  }
}
