// The owner of an id. It writes its commits one transaction after the other, each exactly once even if the broker's answer is lost.
import { assert, EngineError } from '../../../../schemas/errors.ts'
import type { OwnerStanding } from '../../../../schemas/types.ts'
import type { Commit, OutRecord } from '../../../ports/log.ts'
import { retry } from '../../../waiting/retry.ts'
import { fenced } from '../../failures.ts'
import { COMMIT_RECORDS_MAX, COMMITS_WAITING_MAX } from '../../limits.ts'
import type { BrokerRetries } from '../broker-retries.ts'
import type { KafkaLimits } from '../options.ts'
import type { Outgoing } from '../wire/record-batch.ts'
import type { Fencing } from './fence.ts'
import { MarkerCheck, type MarkerCheckParts } from './marker-check.ts'
import type { Producer } from './producer.ts'

const TAKE_RETRIES = { firstMs: 0, triesMax: 20 }
const COMMIT_RETRY_MS = 50

interface Waiting {
  readonly commit: Commit
  readonly bytes: number
  resolve(): void
  reject(failure: unknown): void
}

export interface OwnerParts {
  readonly fence: Fencing
  readonly brokerRetries: BrokerRetries
  readonly limits: KafkaLimits
  /** Reconnects before a retry. */
  repair(): Promise<void>
  outgoing(record: OutRecord): Outgoing
  /** Resolves when records up to `ends` (undefined: unknown) can be read here, or soon will be. Never rejects. */
  visible(ends: ReadonlyMap<string, number> | undefined, topics: ReadonlySet<string>): Promise<void>
  readonly decidedEnds: MarkerCheckParts['decidedEnds']
}

export class KafkaOwner {
  readonly id: string
  readonly #parts: OwnerParts
  #checkpoint: OwnerStanding
  #producer: Producer | undefined
  #waiting: Waiting[] = []
  #run: Promise<void> | undefined
  /** Commits resolve in order, each when it can be read, while the next one is written. */
  #shown: Promise<void> = Promise.resolve()
  /** Set permanently once another owner has the id, or once it is unknown what was written. */
  #broken: unknown
  #released: Promise<void> | undefined
  readonly #markers: MarkerCheck

  private constructor(parts: OwnerParts, checkpoint: OwnerStanding, producer: Producer) {
    this.id = checkpoint.id
    this.#parts = parts
    this.#checkpoint = checkpoint
    this.#producer = producer
    this.#markers = new MarkerCheck({ decidedEnds: parts.decidedEnds, found: () => this.#closeUnmarked() })
  }
  /** Takes over `id`, and writes that to the log as the generation after the newest. */
  static async take(id: string, parts: OwnerParts): Promise<KafkaOwner> {
    const { fence, brokerRetries, limits } = parts
    let isTaken = false
    const once = async (): Promise<KafkaOwner> => {
      isTaken = false
      const { producer, checkpoint } = await fence.fence()
      isTaken = true
      const taken = { id, generation: (checkpoint?.generation ?? 0) + 1, commits: 0, inputs: checkpoint?.inputs ?? [] }
      try {
        await producer.write([fence.checkpointRecord(taken)], () => {}, [])
        return new KafkaOwner(parts, taken, producer)
      } catch (failure) {
        await producer.disconnect().catch(() => {})
        throw failure
      }
    }
    // Another process may take it over at the same time, or the broker may be lost: the next attempt finds out.
    const take = () => retry(once, { ...TAKE_RETRIES, isPassing: () => isTaken })
    return brokerRetries.untilDone(`the takeover of ${id}`, limits.awayMsMax, take, parts.repair)
  }
  /** Input offsets of the newest commit. */
  committed(): ReadonlyMap<string, number> {
    return new Map(this.#checkpoint.inputs.map(({ name, offset }) => [name, offset]))
  }
  /** See the port. `bytes`: size of the commit, which limits how many commits share a transaction. */
  commit(commit: Commit, bytes: number): Promise<void> {
    assert(this.#released === undefined || this.#broken !== undefined, `${this.id} was released: commits are no longer possible`)
    assert(this.#waiting.length < COMMITS_WAITING_MAX, `${COMMITS_WAITING_MAX} commits wait: callers must wait for theirs`)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ commit, bytes, resolve, reject })
      this.#run ??= this.#runGroups()
    })
  }
  /** The owner with the higher generation is the newer one. */
  get generation(): number {
    return this.#checkpoint.generation
  }
  /** Another owner in this process has taken over the id. */
  replaced(): void {
    this.#broken ??= fenced(this.id)
  }
  /** Resolves when no commit is in flight and the connections are closed; the id stays owned until another owner takes it over. */
  release(): Promise<void> {
    this.#released ??= this.#end()
    return this.#released
  }

  async #end(): Promise<void> {
    await this.#run
    await this.#shown
    this.#markers.stop()
    await this.#producer?.disconnect().catch(() => {})
  }
  /** Closes the transaction of partitions without markers by an empty commit, unless a running commit does it. */
  #closeUnmarked(): void {
    if (this.#run === undefined && this.#released === undefined && this.#broken === undefined)
      this.commit({ outputs: [], inputs: new Map() }, 0).catch(() => {})
  }
  async #runGroups(): Promise<void> {
    // Commits made in one turn of the event loop share a transaction.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const group = this.#takeGroup()
      try {
        if (this.#broken !== undefined) throw this.#broken
        const ends = await this.#write(group)
        const topics = new Set(group.flatMap(({ commit }) => commit.outputs.map(({ topic }) => topic.name)))
        this.#shown = this.#shown.then(() => this.#parts.visible(ends, topics)).then(() => resolveAll(group))
      } catch (failure) {
        // Commits take effect in order: if one fails, those behind it fail too.
        rejectAll([...group, ...this.#waiting.splice(0)], failure)
      }
    }
    this.#run = undefined
  }
  #takeGroup(): readonly Waiting[] {
    let bytes = 0
    let records = 0
    let count = 0
    while (count < this.#waiting.length && (count === 0 || (bytes < this.#parts.limits.groupBytesMax && records < COMMIT_RECORDS_MAX))) {
      const waiting = this.#waiting[count++] as Waiting
      bytes += waiting.bytes
      records += waiting.commit.outputs.length
    }
    return this.#waiting.splice(0, count)
  }
  /** Retries until the group is written, or certainly not written. Undefined: it was written, but the answer with its offsets was lost. */
  async #write(group: readonly Waiting[]): Promise<ReadonlyMap<string, number> | undefined> {
    const { fence, brokerRetries, limits } = this.#parts
    const next = this.#after(group)
    const records = group.flatMap(({ commit }) => commit.outputs.map((record) => this.#parts.outgoing(record)))
    const started = performance.now()
    let isInDoubt = false
    const once = async (): Promise<ReadonlyMap<string, number> | undefined> => {
      if (this.#producer === undefined) {
        const { commits } = await this.#comeBack()
        isInDoubt = false
        if (commits === next.commits) return undefined
      }
      const producer = this.#producer as unknown as Producer
      const ending = (): void => {
        isInDoubt = true
      }
      const ends = await producer.write([...records, fence.checkpointRecord(next)], ending, this.#markers.unmarked)
      this.#markers.committed(ends)
      brokerRetries.worked()
      return ends
    }
    const judged = async (tries: number): Promise<ReadonlyMap<string, number> | undefined> => {
      if (tries > 0) await this.#parts.repair()
      return once().catch(async (thrown) => {
        await this.#leave()
        throw brokerRetries.judge(`a commit of ${this.id}`, thrown)
      })
    }
    const isPassing = (failure: unknown): boolean =>
      brokerRetries.isWaitedFor(failure) && performance.now() - started < (isInDoubt ? limits.awayMsMax : limits.commitMsMax)
    try {
      const ends = await retry(judged, { firstMs: COMMIT_RETRY_MS, isPassing })
      this.#checkpoint = next
      return ends
    } catch (failure) {
      throw failure instanceof EngineError ? this.#final(failure, isInDoubt) : failure
    }
  }
  #after(group: readonly Waiting[]): OwnerStanding {
    const inputs = new Map(this.committed())
    for (const { commit } of group) for (const [name, offset] of commit.inputs) inputs.set(name, offset)
    const { id, generation, commits } = this.#checkpoint
    return { id, generation, commits: commits + 1, inputs: [...inputs].map(([name, offset]) => ({ name, offset })) }
  }
  /**
   * Opens a new producer under the id after a failure and returns the checkpoint. Reads first without fencing: a zombie must not disturb
   * the newer owner. That checkpoint may be older than the last commit, whose markers may not be written yet.
   * @throws EngineError `fenced` if a newer generation owns the id, `log_rewound` if committed records are gone.
   */
  async #comeBack(): Promise<OwnerStanding> {
    const { fence } = this.#parts
    this.#checkNotFenced(await fence.readCheckpoint())
    const { producer, checkpoint } = await fence.fence()
    try {
      this.#checkNotFenced(checkpoint)
      if (checkpoint === undefined || this.#isBehind(checkpoint)) throw this.#lost(checkpoint)
      this.#producer = producer
      return checkpoint
    } finally {
      if (this.#producer !== producer) await producer.disconnect().catch(() => {})
    }
  }
  #checkNotFenced(checkpoint: OwnerStanding | undefined): void {
    if ((checkpoint?.generation ?? 0) > this.#checkpoint.generation) throw fenced(this.id)
  }
  #isBehind({ generation, commits }: OwnerStanding): boolean {
    return generation < this.#checkpoint.generation || commits < this.#checkpoint.commits
  }
  /** A restart continues from the checkpoint in the log. */
  #lost(checkpoint: OwnerStanding | undefined): EngineError {
    const { generation, commits } = this.#checkpoint
    const at = `generation ${checkpoint?.generation ?? 0}, commit ${checkpoint?.commits ?? 0}`
    const message = `the log has ${this.id} at ${at}, but brokers acknowledged generation ${generation}, commit ${commits}: they lost data. Restart the process`
    const lost = new EngineError('log_rewound', message, { facts: { id: this.id, commits: checkpoint?.commits ?? 0, taken: commits } })
    this.#broken = lost
    return lost
  }
  /** kafkajs cannot reuse a producer after a failed end of a transaction. */
  async #leave(): Promise<void> {
    const producer = this.#producer
    this.#producer = undefined
    await producer?.disconnect().catch(() => {})
  }
  /** If the owner is fenced while a commit's outcome is unknown, the new owner reads the outcome from the log. */
  #final(failure: EngineError, isInDoubt: boolean): EngineError {
    if (failure.code === 'fenced') this.#broken = failure
    if (failure.code === 'fenced' || !isInDoubt) return failure
    const message = `${failure.message}. It is unknown whether this commit was written: restart the process, which reads it from the log`
    const final = new EngineError('log_unreachable', message, { facts: { id: this.id }, cause: failure })
    this.#broken = final
    return final
  }
}

const resolveAll = (group: readonly Waiting[]): void => {
  for (const { resolve } of group) resolve()
}
const rejectAll = (group: readonly Waiting[], failure: unknown): void => {
  for (const { reject } of group) reject(failure)
}
