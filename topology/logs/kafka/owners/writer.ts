// Writes the commits of owners, one transaction after the other, each exactly once even if its answer is lost.
//
// An owner has a writer of its own, or shares that of its log. All commits that wait when a transaction begins are in it: of one owner in
// order, with one checkpoint each. After a failure the writer opens its producer again, which decides the transaction, and each owner is
// confirmed (fence.ts) before its commits are written again: an owner that has lost its id fails, the others' commits are repeated without
// its own unless the checkpoints show that all were written.
import { assert, EngineError, hasCode } from '../../../../schemas/errors.ts'
import type { OwnerStanding } from '../../../../schemas/types.ts'
import type { Commit, OutRecord } from '../../../ports/log.ts'
import { retry } from '../../../waiting/retry.ts'
import { pause } from '../../../waiting/waiting.ts'
import { COMMIT_RECORDS_MAX, COMMITS_WAITING_MAX } from '../../limits.ts'
import type { BrokerRetries } from '../broker-retries.ts'
import type { KafkaLimits } from '../options.ts'
import type { Outgoing } from '../wire/record-batch.ts'
import { MarkerCheck, type MarkerCheckParts } from './marker-check.ts'
import type { KafkaOwner } from './owner.ts'
import type { Producer } from './producer.ts'

const COMMIT_RETRY_MS = 50
const GATHER_LOOK_MS = 2

/** A commit that is not written yet; `bytes` bound what is written in one transaction. */
export interface Waiting {
  readonly owner: KafkaOwner
  readonly commit: Commit
  readonly bytes: number
  resolve(): void
  reject(failure: unknown): void
}

export interface WriterParts {
  /** Opens the producer, which ends the transactions of the one before. @throws EngineError if that is pointless */
  open(): Promise<Producer>
  readonly brokerRetries: BrokerRetries
  readonly limits: KafkaLimits
  /** Reconnects before a retry. */
  repair(): Promise<void>
  outgoing(record: OutRecord): Outgoing
  /** Resolves when records up to `ends` (undefined: unknown) can be read here, or soon will be. Never rejects. */
  visible(ends: ReadonlyMap<string, number> | undefined, topics: ReadonlySet<string>): Promise<void>
  readonly decidedEnds: MarkerCheckParts['decidedEnds']
}

/** An owner's commits in a transaction, and its checkpoint after them. */
interface Part {
  readonly owner: KafkaOwner
  readonly commits: readonly Waiting[]
  readonly next: OwnerStanding
}

/** The commits of one transaction. */
interface Group {
  /** Those that are not rejected yet. */
  parts: readonly Part[]
  /** True while it is unknown whether the transaction was committed. */
  isInDoubt: boolean
}

/** Offsets after the records of a transaction; undefined: it was written, but the answer with its offsets was lost. */
type Ends = ReadonlyMap<string, number> | undefined

export class Writer {
  readonly #parts: WriterParts
  readonly #owners = new Set<KafkaOwner>()
  readonly #markers: MarkerCheck
  #producer: Producer | undefined
  #opening: Promise<Producer> | undefined
  #waiting: Waiting[] = []
  #run: Promise<void> | undefined
  /** Those with commits in the newest transaction. */
  #active: ReadonlySet<KafkaOwner> = new Set()
  #group: Promise<void> = Promise.resolve()
  /** Commits resolve in order, each when it can be read, while the next transaction is written. */
  #shown: Promise<void> = Promise.resolve()

  constructor(parts: WriterParts, producer?: Producer) {
    this.#parts = parts
    this.#producer = producer
    this.#markers = new MarkerCheck({ decidedEnds: parts.decidedEnds, found: () => this.#closeUnmarked() })
  }
  add(owner: KafkaOwner): void {
    this.#owners.add(owner)
  }
  remove(owner: KafkaOwner): void {
    this.#owners.delete(owner)
  }
  /** Resolves or rejects the commit when its outcome is known. */
  write(waiting: Waiting): void {
    assert(this.#waiting.length < COMMITS_WAITING_MAX, `${COMMITS_WAITING_MAX} commits wait: callers must wait for theirs`)
    this.#waiting.push(waiting)
    this.#run ??= this.#runGroups()
  }
  /** The open producer; opens it if there is none. */
  ready(): Promise<Producer> {
    if (this.#producer !== undefined) return Promise.resolve(this.#producer)
    this.#opening ??= this.#parts
      .open()
      .then((producer) => {
        this.#producer = producer
        return producer
      })
      .finally(() => {
        this.#opening = undefined
      })
    return this.#opening
  }
  /** Ends the owners of an id; resolves when none of their commits is in flight. */
  async drained(id: string): Promise<void> {
    for (const owner of this.#owners) if (owner.id === id) owner.replaced()
    await this.#group
  }
  /** Resolves when no commit is in flight and the connections are closed. */
  async close(): Promise<void> {
    await this.#run
    await this.#shown
    this.#markers.stop()
    await this.#opening?.catch(() => {})
    await this.#leave()
  }

  /** By an empty commit, unless another one comes anyway. */
  #closeUnmarked(): void {
    if (this.#run !== undefined) return
    const [owner] = [...this.#owners].filter(({ isOver }) => !isOver)
    owner?.commit({ outputs: [], inputs: new Map() }, 0).catch(() => {})
  }
  async #runGroups(): Promise<void> {
    // Commits made in one turn of the event loop share a transaction.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      await this.#gather()
      this.#group = this.#settle(this.#takeGroup())
      await this.#group
    }
    this.#run = undefined
  }
  /** Waits for commits of the owners that had some in the newest transaction, while all that are there can wait. */
  async #gather(): Promise<void> {
    const { brokerRetries, limits } = this.#parts
    const isWhole = (): boolean =>
      this.#waiting.some(({ commit }) => commit.canWait !== true) ||
      [...this.#active].every((active) => active.isOver || this.#waiting.some(({ owner }) => owner === active))
    for (const until = performance.now() + limits.gatherMsMax; !isWhole() && !brokerRetries.isOver && performance.now() < until; )
      await pause(GATHER_LOOK_MS)
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
    const group = this.#waiting.splice(0, count)
    this.#active = new Set(group.map(({ owner }) => owner))
    return group
  }
  /** Never rejects: the commits do. */
  async #settle(waiting: readonly Waiting[]): Promise<void> {
    const group: Group = { parts: this.#partsOf(waiting), isInDoubt: false }
    try {
      const ends = await this.#write(group)
      const commits = group.parts.flatMap((part) => part.commits)
      const topics = new Set(commits.flatMap(({ commit }) => commit.outputs.map(({ topic }) => topic.name)))
      this.#shown = this.#shown
        .then(() => this.#parts.visible(ends, topics))
        .then(() => {
          for (const { resolve } of commits) resolve()
        })
    } catch (failure) {
      // Of several owners, the broker refused perhaps what one of them writes.
      if (group.parts.length > 1 && !group.isInDoubt && hasCode(failure, 'log_refused'))
        for (const { commits } of group.parts) await this.#settle(commits)
      else for (const part of group.parts) this.#reject(part, part.owner.finalOf(failure, group.isInDoubt))
    }
  }
  /** Commits take effect in order: if one fails, those of its owner behind it fail too. */
  #reject({ owner, commits }: Pick<Part, 'owner' | 'commits'>, failure: unknown): void {
    const behind = this.#waiting.filter((waiting) => waiting.owner === owner)
    this.#waiting = this.#waiting.filter((waiting) => waiting.owner !== owner)
    for (const { reject } of [...commits, ...behind]) reject(failure)
  }
  /** Rejects the commits of owners that have ended. */
  #partsOf(waiting: readonly Waiting[]): readonly Part[] {
    const parts: Part[] = []
    for (const owner of new Set(waiting.map((one) => one.owner))) {
      const commits = waiting.filter((one) => one.owner === owner)
      if (owner.isBroken) this.#reject({ owner, commits }, owner.broken)
      else parts.push({ owner, commits, next: owner.after(commits.map(({ commit }) => commit)) })
    }
    return parts
  }
  /** Retries until the group is written, or certainly not. Parts of owners that lost their id meanwhile are rejected and leave it. */
  async #write(group: Group): Promise<Ends> {
    const { brokerRetries, limits } = this.#parts
    const started = performance.now()
    const once = async (): Promise<Ends> => {
      if (group.parts.length === 0) return new Map()
      const producer = await this.ready()
      for (const part of group.parts) await this.#confirm(group, part, producer)
      const isWritten = group.isInDoubt && group.parts.some(({ owner, next }) => owner.commitsFound === next.commits)
      group.isInDoubt = false
      if (isWritten || group.parts.length === 0) return undefined
      const ending = (): void => {
        group.isInDoubt = true
      }
      if (this.#markers.unmarked.length > 0) await producer.closeCommits(this.#markers.unmarked)
      const ends = await producer.write(this.#recordsOf(group), ending)
      this.#markers.committed(ends)
      brokerRetries.worked()
      return ends
    }
    const judged = async (tries: number): Promise<Ends> => {
      if (tries > 0) await this.#parts.repair()
      return once().catch(async (thrown) => {
        await this.#leave()
        throw brokerRetries.judge(`a commit of ${group.parts.map(({ owner }) => owner.id).join(', ')}`, thrown)
      })
    }
    const isPassing = (failure: unknown): boolean =>
      brokerRetries.isWaitedFor(failure) && performance.now() - started < (group.isInDoubt ? limits.awayMsMax : limits.commitMsMax)
    const ends = await retry(judged, { firstMs: COMMIT_RETRY_MS, isPassing })
    for (const { owner, next } of group.parts) owner.wrote(next)
    return ends
  }
  #recordsOf({ parts }: Group): readonly Outgoing[] {
    const outputs = parts.flatMap(({ commits }) => commits.flatMap(({ commit }) => commit.outputs))
    return [...outputs.map(this.#parts.outgoing), ...parts.map(({ owner, next }) => owner.checkpointRecord(next))]
  }
  /** Rejects the part if its owner can commit nothing more. */
  async #confirm(group: Group, part: Part, producer: Producer): Promise<void> {
    try {
      await part.owner.confirm(producer)
    } catch (failure) {
      if (!(failure instanceof EngineError) || failure.retriable) throw failure
      this.#reject(part, part.owner.finalOf(failure, group.isInDoubt))
      group.parts = group.parts.filter((other) => other !== part)
    }
  }
  /** kafkajs cannot reuse a producer after a failed end of a transaction. */
  async #leave(): Promise<void> {
    const producer = this.#producer
    this.#producer = undefined
    await producer?.disconnect().catch(() => {})
  }
}
