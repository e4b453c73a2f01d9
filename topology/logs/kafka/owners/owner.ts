// An owner of an id: its checkpoint, and its commits, which its writer writes.
import { assert, EngineError } from '../../../../schemas/errors.ts'
import type { OwnerStanding } from '../../../../schemas/types.ts'
import type { Commit } from '../../../ports/log.ts'
import { retry } from '../../../waiting/retry.ts'
import { fenced } from '../../failures.ts'
import type { Outgoing } from '../wire/record-batch.ts'
import type { Fencing, SharedWriter } from './fence.ts'
import type { Producer } from './producer.ts'
import { Writer, type WriterParts } from './writer.ts'

/** Two takers of one id make each other fail until one is faster: the delays let them get out of step. */
const TAKE_RETRIES = { firstMs: 1, maxMs: 200, triesMax: 20 }

export interface OwnerParts extends Omit<WriterParts, 'open'> {
  readonly fence: Fencing
  /** Writes the owner's commits, with those of others; by default the owner has a writer of its own. */
  readonly shared?: { readonly name: SharedWriter['name']; readonly writer: Writer }
}

export class KafkaOwner {
  readonly id: string
  readonly #fence: Fencing
  readonly #writer: Writer
  readonly #isShared: boolean
  #checkpoint: OwnerStanding
  /** The writer's producer that was opened before the id was known to be still owned. */
  #confirmedBy: Producer | undefined
  /** Commits in the log when the producer was opened. */
  #commitsFound = 0
  /** Set permanently once another owner has the id, or once it is unknown what was written. */
  #broken: unknown
  #newest: Promise<unknown> = Promise.resolve()
  #released: Promise<void> | undefined

  private constructor({ fence, shared, ...parts }: OwnerParts, checkpoint: OwnerStanding, producer: Producer) {
    this.id = checkpoint.id
    this.#fence = fence
    this.#checkpoint = checkpoint
    this.#confirmedBy = producer
    this.#isShared = shared !== undefined
    this.#writer = shared?.writer ?? new Writer({ ...parts, open: () => this.#comeBack() }, producer)
    this.#writer.add(this)
  }
  /** Takes over `id`, and writes that to the log as the generation after the newest. */
  static async take(id: string, parts: OwnerParts): Promise<KafkaOwner> {
    const { fence, shared, brokerRetries, limits } = parts
    const advanced = (): void => brokerRetries.advanced()
    let isTaken = false
    const once = async (): Promise<KafkaOwner> => {
      isTaken = false
      // Opened before the id is taken: see fence.ts.
      const writing = await shared?.writer.ready()
      advanced()
      const { producer, checkpoint } = await fence.fence(advanced)
      isTaken = true
      const writer = shared?.name ?? null
      const taken = { id, generation: (checkpoint?.generation ?? 0) + 1, commits: 0, inputs: checkpoint?.inputs ?? [], writer }
      let isKept = false
      try {
        await producer.write([fence.checkpointRecord(taken)], () => {})
        isKept = shared === undefined
        return new KafkaOwner(parts, taken, writing ?? producer)
      } finally {
        if (!isKept) await producer.disconnect().catch(() => {})
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
    assert(this.#released === undefined || this.isBroken, `${this.id} was released: commits are no longer possible`)
    const done = new Promise<void>((resolve, reject) => this.#writer.write({ owner: this, commit, bytes, resolve, reject }))
    this.#newest = done.catch(() => {})
    return done
  }
  /** The owner with the higher generation is the newer one. */
  get generation(): number {
    return this.#checkpoint.generation
  }
  /** Another owner in this process has taken over the id. */
  replaced(): void {
    this.#broken ??= fenced(this.id)
  }
  /** Resolves when no commit is in flight and connections of its own are closed; it keeps the id until another owner takes it over. */
  release(): Promise<void> {
    this.#released ??= this.#end()
    return this.#released
  }

  /** True if it can commit nothing more, for the reason `broken`. */
  get isBroken(): boolean {
    return this.#broken !== undefined
  }
  get broken(): unknown {
    return this.#broken
  }
  get isOver(): boolean {
    return this.isBroken || this.#released !== undefined
  }
  get commitsFound(): number {
    return this.#commitsFound
  }
  /** The checkpoint after one more transaction with these commits. */
  after(commits: readonly Commit[]): OwnerStanding {
    const inputs = new Map(this.committed())
    for (const commit of commits) for (const [name, offset] of commit.inputs) inputs.set(name, offset)
    return {
      ...this.#checkpoint,
      commits: this.#checkpoint.commits + 1,
      inputs: [...inputs].map(([name, offset]) => ({ name, offset })),
    }
  }
  checkpointRecord(checkpoint: OwnerStanding): Outgoing {
    return this.#fence.checkpointRecord(checkpoint)
  }
  /**
   * Makes sure that the id is still owned since `producer`, of its writer, was opened; `commitsFound` is up to date afterwards.
   * @throws EngineError `fenced` if another owner has the id, `log_rewound` if committed records are gone
   */
  async confirm(producer: Producer): Promise<void> {
    if (this.#confirmedBy !== producer) this.#found(producer, await this.#fence.confirm(this.generation))
  }
  /** `checkpoint` is committed. */
  wrote(checkpoint: OwnerStanding): void {
    this.#checkpoint = checkpoint
  }
  /** The failure of its commits. If it is fenced while the outcome is unknown, the new owner reads the outcome from the log. */
  finalOf(failure: unknown, isInDoubt: boolean): unknown {
    if (!(failure instanceof EngineError)) return failure
    if (failure.code === 'fenced' || failure.code === 'log_rewound') this.#broken = failure
    if (failure.code === 'fenced' || !isInDoubt) return failure
    const message = `${failure.message}. It is unknown whether this commit was written: restart the process, which reads it from the log`
    const final = new EngineError('log_unreachable', message, { facts: { id: this.id }, cause: failure })
    this.#broken = final
    return final
  }

  async #end(): Promise<void> {
    await this.#newest
    this.#writer.remove(this)
    if (!this.#isShared) await this.#writer.close()
  }
  /**
   * Opens a producer of its own after a failure. Reads first without fencing: a zombie must not disturb the newer owner. That checkpoint
   * may be older than the last commit, whose markers may not be written yet.
   */
  async #comeBack(): Promise<Producer> {
    this.#checkNotFenced(await this.#fence.readCheckpoint())
    const { producer, checkpoint } = await this.#fence.fence()
    try {
      this.#found(producer, checkpoint)
      return producer
    } catch (failure) {
      await producer.disconnect().catch(() => {})
      throw failure
    }
  }
  #found(producer: Producer, checkpoint: OwnerStanding | undefined): void {
    this.#checkNotFenced(checkpoint)
    if (checkpoint === undefined || this.#isBehind(checkpoint)) throw this.#lost(checkpoint)
    this.#confirmedBy = producer
    this.#commitsFound = checkpoint.commits
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
}
