// The log as one simulated process sees it: commits of others become visible later and partition by partition, reads are slow, short or
// fail, and a commit may fail before or after its effect.
// It keeps the contract of the port: a commit is atomic in each partition, order holds, and a retriable failure had no effect. Trimming is
// left to the contract suite.
import { EngineError } from '../../schemas/errors.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { Commit, Log, LogRecord, ReadLimits, TaskOwner } from '../../topology/ports/log.ts'
import type { Actor, Machine } from './machine.ts'

const READ_LATE_MS_MAX = 200
const HEARD_LATE_MS_MAX = 400
const COMMIT_SLOW_MS_MAX = 300
/** Longer than a task retries. */
const REFUSED_MS_MAX = 600
/** Probability that all pending partitions become visible at once. */
const ALL_HEARD_SHARE = 0.5

export class ProcessLog implements Log {
  readonly #machine: Machine
  readonly #actor: Actor
  /** One past the newest visible record, by partition, in offsets of the inner log. */
  readonly #visible = new Map<string, number>()
  readonly #hearing = new Set<string>()
  readonly #listeners = new Set<(topics: ReadonlySet<string>) => void>()
  readonly #ends: Map<string, number>
  /** Commits that were requested and had no effect yet. */
  readonly #flights = new Set<() => void>()
  #refusedUntilMs = 0

  /** `ends` covers all commits; the machine keeps it up to date. */
  constructor(machine: Machine, actor: Actor, ends: Map<string, number>) {
    this.#machine = machine
    this.#actor = actor
    this.#ends = ends
  }
  partitions(topic: Topic): number {
    return this.#machine.log.partitions(topic)
  }
  start(topic: Topic, partition: number): number {
    return this.#machine.log.start(topic, partition) * this.#machine.spread
  }
  end(topic: Topic, partition: number): number {
    const end = this.#visible.get(`${topic.name}/${partition}`) ?? 0
    return end === 0 ? 0 : (end - 1) * this.#machine.spread + 1
  }
  tombstoneFloor(topic: Topic, partition: number): number {
    return this.#machine.log.tombstoneFloor(topic, partition) * this.#machine.spread
  }
  read(topic: Topic, partition: number, offset: number, limits: ReadLimits): Promise<readonly LogRecord[]> {
    const { faults, spread, log, dice } = this.#machine
    const delayMs = faults.delayMs('read is late', READ_LATE_MS_MAX)
    return this.#op(delayMs, async () => {
      if (faults.draw('read fails')) throw unreachable('read')
      const visibleEnd = this.#visible.get(`${topic.name}/${partition}`) ?? 0
      const records = (await log.read(topic, partition, Math.ceil(offset / spread), limits)).filter((record) => record.offset < visibleEnd)
      const count = records.length > 1 && faults.draw('read is short') ? dice.int(1, records.length - 1) : records.length
      return records.slice(0, count).map((record) => ({ ...record, offset: record.offset * spread }))
    })
  }
  refresh(): Promise<void> {
    return this.#op(0, async () => this.#hearAll())
  }
  own(id: string): Promise<TaskOwner> {
    return this.#op(0, async () => {
      const owner = await this.#machine.own(id)
      this.#hear(this.#decidedNames())
      return { ...owner, commit: (commit) => this.#commit(owner, commit) }
    })
  }
  decidedEnd(topic: Topic, partition: number): Promise<number> {
    return this.#op(0, async () => {
      this.#hearAll()
      return this.end(topic, partition)
    })
  }
  onCommit(listener: (topics: ReadonlySet<string>) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
  trim(topic: Topic, partition: number, offset: number): Promise<void> {
    return this.#machine.log.trim(topic, partition, Math.ceil(offset / this.#machine.spread))
  }
  async close(): Promise<void> {}

  /** Another process committed: the records become visible here later, in some partitions before others. */
  notify(names: Iterable<string>): void {
    const isListening = this.#hearing.size > 0
    for (const name of names) this.#hearing.add(name)
    if (!isListening && this.#hearing.size > 0) this.#listen()
  }
  get isHearing(): boolean {
    return this.#hearing.size > 0
  }
  /** The process ends: some commits in flight still take effect, in order; no caller is notified. */
  die(): void {
    for (const takeEffect of this.#flights) {
      if (!this.#machine.faults.draw('commit in flight outlives its process')) break
      takeEffect()
    }
  }
  #op<T>(delayMs: number, action: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => this.#machine.op(this.#actor, () => void action().then(resolve, reject), delayMs))
  }
  #commit(owner: TaskOwner, commit: Commit): Promise<void> {
    const { faults } = this.#machine
    const takeEffect = (): Promise<void> => {
      this.#flights.delete(takeEffectAlone)
      return owner.commit(commit)
    }
    const takeEffectAlone = (): void => void takeEffect().catch(() => {})
    this.#flights.add(takeEffectAlone)
    return this.#op(faults.delayMs('commit is slow', COMMIT_SLOW_MS_MAX), async () => {
      const failure = this.#refusal()
      if (failure !== undefined) {
        this.#flights.delete(takeEffectAlone)
        throw failure
      }
      await takeEffect()
      this.#hear(commit.outputs.map(({ topic, partition }) => `${topic.name}/${partition}`))
      await this.#op(0, async () => {})
      if (faults.draw('commit fails after its effect')) throw unreachable('commit')
    })
  }
  #refusal(): EngineError | undefined {
    const { faults, time, dice } = this.#machine
    if (faults.draw('commit is refused for long')) this.#refusedUntilMs = time.nowMs + dice.int(1, REFUSED_MS_MAX)
    if (time.nowMs < this.#refusedUntilMs || faults.draw('commit is refused for a while'))
      return new EngineError('log_full', 'full', { retriable: true })
    return faults.draw('commit fails before its effect') ? unreachable('commit') : undefined
  }
  #listen(): void {
    const { faults, dice } = this.#machine
    const hear = (): void => {
      const all = dice.share() < ALL_HEARD_SHARE
      const delivered = [...this.#hearing].filter(() => all || dice.share() < ALL_HEARD_SHARE)
      for (const name of delivered) this.#hearing.delete(name)
      this.#hear(delivered)
      if (this.#hearing.size > 0) this.#listen()
    }
    this.#machine.op(this.#actor, hear, faults.delayMs('commit is seen late', HEARD_LATE_MS_MAX))
  }
  /** An open transaction of another owner hides the records behind it until it ends, which is notified like a commit. */
  #decidedNames(): readonly string[] {
    const { faults, dice } = this.#machine
    const names = [...this.#ends.keys()]
    if (names.length === 0 || !faults.draw('transaction is left open')) return names
    const hidden = dice.pick(names)
    this.notify([hidden])
    return names.filter((name) => name !== hidden)
  }
  #hearAll(): void {
    this.#hear([...this.#ends.keys()])
  }
  #hear(names: readonly string[]): void {
    for (const name of names) this.#visible.set(name, this.#ends.get(name) ?? 0)
    const topics = new Set(names.map((name) => name.slice(0, name.lastIndexOf('/'))))
    for (const listener of this.#listeners) listener(topics)
  }
}

const unreachable = (what: string): EngineError => new EngineError('log_unreachable', `no answer to the ${what}`)
