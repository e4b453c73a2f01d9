// The scorer: computes the odds of each judgement exactly once. Retracts the odds of judgements that a fork retracted.
//
// Odds and the offsets of their judgements are one commit: a kill at any time loses, duplicates or changes no value. Revisions of a rebuild
// are ignored, because a logged value never changes.
import { isJudged, oddsOf } from '../../processors/odds/odds-of.ts'
import { toBytes } from '../../schemas/keys.ts'
import { ownName } from '../../schemas/topics.ts'
import type { Conclusion } from '../../schemas/types.ts'
import { readKept } from '../logs/read-kept.ts'
import type { Log, LogRecord, OutRecord, TaskOwner } from '../ports/log.ts'
import type { Notice } from '../ports/notice.ts'
import type { RunningTask } from '../runtime/task-spec.ts'
import type { OddsTopology } from '../topology.ts'
import { yieldToEventLoop } from '../waiting/waiting.ts'
import { LogLoop } from './log-loop.ts'
import type { ModelSet } from './model-set.ts'

/** Judgements of a partition per step: two heads of nine models make 9,000 values of them. */
const READ = { recordsMax: 500, bytesMax: 1024 * 1024 }
/** When live, judgements that arrive within this time share a commit. */
const REST_MS = 100
/** Commits the offset after this many judgements without odds. */
const SILENT_MAX = 5_000

export interface ScorerOptions {
  readonly topology: OddsTopology
  readonly log: Log
  readonly models: ModelSet
  readonly notice: Notice
}

export class ScorerTask implements RunningTask {
  readonly progress = 0
  readonly #options: ScorerOptions
  readonly #loop: LogLoop
  readonly #next: number[] = []
  #owner: TaskOwner | undefined
  /** Judgements without odds since the newest commit. */
  #silent = 0
  #scored = 0

  constructor(options: ScorerOptions) {
    this.#options = options
    const { topology, log, notice } = options
    const { judgements, models } = topology.sinks.scorer.reads
    const step = (): Promise<boolean> => this.#step()
    this.#loop = new LogLoop({ name: 'scorer', log, topics: [judgements, models], notice, restMs: REST_MS, step })
  }
  async restore(): Promise<void> {
    const { topology, log } = this.#options
    const { judgements } = topology.sinks.scorer.reads
    const owner = await log.own(ownName(topology.chain, 'scorer'))
    this.#owner = owner
    const committed = owner.committed()
    for (let partition = 0; partition < log.partitions(judgements); partition++)
      this.#next[partition] = committed.get(`${judgements.name}/${partition}`) ?? log.start(judgements, partition)
  }
  async run(): Promise<void> {
    try {
      await this.#loop.run()
    } finally {
      await this.#owner?.release().catch(() => {})
    }
  }
  stop(): void {
    this.#loop.stop()
  }
  get isCaughtUp(): boolean {
    return this.#loop.isIdle && this.recordsBehind === 0
  }
  /** Judgements not scored yet; null before the offsets are known. */
  get recordsBehind(): number | null {
    const { log, topology } = this.#options
    const { judgements } = topology.sinks.scorer.reads
    if (this.#next.length === 0) return null
    return this.#next.reduce((sum, next, partition) => sum + Math.max(0, log.end(judgements, partition) - next), 0)
  }
  /** Tick time of the newest scored judgement, unix seconds; 0 before the first. */
  get scoredS(): number {
    return this.#scored
  }

  /** True if a partition has more judgements than one step reads. */
  async #step(): Promise<boolean> {
    const { models, log, topology } = this.#options
    await models.readOn()
    let isFull = false
    for (const partition of this.#next.keys()) {
      const { records, next } = await this.#read(partition)
      const outputs = records.flatMap((record) => this.#scoredOf(record, partition))
      await this.#commit(partition, next, records.length, outputs)
      isFull ||= records.length > 0 && next < log.end(topology.sinks.scorer.reads.judgements, partition)
      await yieldToEventLoop()
      if (this.#loop.isStopping) return false
    }
    return isFull
  }
  #read(partition: number): ReturnType<typeof readKept> {
    const { topology, log, notice } = this.#options
    const topic = topology.sinks.scorer.reads.judgements
    const place = { topic, partition, offset: this.#next[partition] as number }
    return readKept(log, place, READ, (from, to) => notice('judgements_lost', { topic: `${topic.name}/${partition}`, from, to }))
  }
  #scoredOf({ key, value }: LogRecord, partition: number): readonly OutRecord[] {
    const { topology, models } = this.#options
    const { codec } = topology.chain.conclusions
    const topic = topology.sinks.scorer.writes.odds
    const read = value === null ? undefined : codec.decode(value)
    if (read?.ok !== true) return []
    const conclusion: Conclusion = read.value
    if (conclusion.body.type === 'retraction') return [{ topic, partition, key, value }]
    if (!isJudged(conclusion)) return []
    this.#scored = Math.max(this.#scored, conclusion.at)
    const ofMint = toBytes(conclusion.body.mint)
    const odds = oddsOf(conclusion, models.scorersAt(conclusion.at))
    return odds.map((one) => ({ topic, partition, key: ofMint, value: codec.encode(one) }))
  }
  async #commit(partition: number, next: number, passed: number, outputs: readonly OutRecord[]): Promise<void> {
    const { name } = this.#options.topology.sinks.scorer.reads.judgements
    this.#silent += outputs.length > 0 ? 0 : passed
    const before = this.#next[partition] as number
    if (next === before) return
    if (outputs.length > 0 || this.#silent >= SILENT_MAX) {
      const inputs = new Map(this.#next.map((offset, one) => [`${name}/${one}`, one === partition ? next : offset]))
      await this.#owner?.commit({ outputs, inputs })
      this.#silent = 0
    }
    this.#next[partition] = next
  }
}
