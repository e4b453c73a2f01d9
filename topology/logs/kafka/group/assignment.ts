// Assigns tasks by a Kafka consumer group: only its membership protocol is used; reads and offsets are the log's own.
//
// Eager rebalance with one difference: a member continues its work during the rebalance and stops the tasks of lost partitions afterwards.
// If a new owner takes a partition over before that, it fences the old task. So the rebalance stops no work, and nothing is lost or done
// twice.
import type { Broker, Cluster } from 'kafkajs'
import type { Assigned, Assignment } from '../../../ports/assignment.ts'
import { pause, within } from '../../../waiting/waiting.ts'
import { BrokerRetries } from '../broker-retries.ts'
import { createClient, createCluster, repair } from '../client.ts'
import type { KafkaLogOptions } from '../options.ts'
import { limited } from '../wire/limited.ts'
import { planAssignment, type Share, type Weighed } from './assignment-plan.ts'
import { decodeMember, decodeShare, encodeMember, encodeShare } from './assignment-wire.ts'
import { endFormer, leaveGroup, type MemberMemory, type Standing } from './members.ts'

/** Name of the group protocol: the broker rejects members with another one. */
const PROTOCOL = 'mintfold'
/** Session timeout: a member without heartbeats for this long is dead. Brokers accept 6 s and more. */
const SESSION_MS = 6_000
/**
 * Rebalance timeout: the group waits this long for its members to join, and as long again for them to fetch their assignment: six
 * heartbeats. A member that freezes or dies meanwhile is detected no later than at any other time; a slow member joins again and continues.
 */
const REBALANCE_MS = 3_000
const HEARTBEAT_MS = 500
/** After this, a fenced task must have learned that its partition moved. */
const SETTLE_MS = SESSION_MS + REBALANCE_MS + 4_000
/** How long a stop waits for a running rebalance. */
const AGREE_MS_MAX = 500
/** How long a stop takes at most: a member that cannot leave in time is detected as dead. */
const STOP_MS_MAX = 1_500
/** How long a start waits for the brokers. */
const AWAY_MS_MAX = 60_000

interface JoinRequest {
  readonly groupId: string
  readonly sessionTimeout: number
  readonly rebalanceTimeout: number
  readonly memberId: string
  readonly groupProtocols: readonly { readonly name: string; readonly metadata: Buffer }[]
}
interface Joined {
  readonly generationId: number
  readonly leaderId: string
  readonly memberId: string
  readonly members: readonly { readonly memberId: string; readonly memberMetadata: Buffer }[]
}
/** Group requests that kafkajs has but does not type. */
interface Coordinator extends Broker {
  joinGroup(request: JoinRequest): Promise<Joined>
  syncGroup(
    request: Standing & {
      readonly generationId: number
      readonly groupAssignment: readonly { readonly memberId: string; readonly memberAssignment: Buffer }[]
    },
  ): Promise<{ readonly memberAssignment: Buffer }>
  heartbeat(request: Standing & { readonly groupGenerationId: number }): Promise<unknown>
}

export interface KafkaAssignmentOptions extends Pick<KafkaLogOptions, 'brokers' | 'security' | 'prefix' | 'notice'> {
  /** Name of the consumer group, without the prefix. */
  readonly group: string
  /** Cost of a partition's tasks, in units of one partition's folds. */
  readonly weightOf: (topicPartition: string) => number
  /** How many members stand by for each partition; 0: none, and partitions move to members that have to restore their rows first. */
  readonly standbys: number
  /** Absent: the start after a kill waits until the session of the killed member expires. */
  readonly memory?: MemberMemory | undefined
}

/** Errors for a member that the broker has removed from the group, or that missed a rebalance. */
const STRANGER = new Set(['UNKNOWN_MEMBER_ID', 'ILLEGAL_GENERATION'])
const AGREEING = 'REBALANCE_IN_PROGRESS'

const typeOf = (thrown: unknown): string | undefined => (thrown as { type?: string } | null)?.type

export class KafkaAssignment implements Assignment {
  readonly settleMs = SETTLE_MS
  readonly #options: KafkaAssignmentOptions
  readonly #groupId: string
  readonly #cluster: Cluster
  readonly #brokerRetries: BrokerRetries
  readonly #stopping = new AbortController()
  #partitions: readonly string[] = []
  #mine: Share = { partitions: [], standbys: [], awaited: [] }
  #warm: () => ReadonlySet<string> = () => new Set()
  /** When the broker last confirmed the membership. */
  #heardAtMs = Number.NEGATIVE_INFINITY
  #memberId = ''
  #coordinator: Coordinator | undefined
  #failed: (failure: unknown) => void = () => {}
  #assigned: Assigned = async () => {}
  #loop: Promise<void> = Promise.resolve()
  readonly done: Promise<void>

  constructor(options: KafkaAssignmentOptions) {
    this.#options = options
    this.#groupId = options.prefix + options.group
    this.#cluster = createCluster(createClient(options))
    this.#brokerRetries = new BrokerRetries(options.brokers, options.notice)
    this.done = new Promise((resolve, reject) => {
      this.#failed = reject
      this.#stopping.signal.addEventListener('abort', () => resolve(), { once: true })
    })
    this.done.catch(() => {})
  }
  get isKnown(): boolean {
    return performance.now() - this.#heardAtMs < SESSION_MS
  }
  async start(partitions: readonly string[], assigned: Assigned, warm: () => ReadonlySet<string> = () => new Set()): Promise<void> {
    this.#partitions = partitions
    this.#warm = warm
    this.#assigned = assigned
    const former = this.#options.memory?.read()
    const join = async (): Promise<number> => {
      await this.#cluster.connect()
      const joined = new AbortController()
      // If it fails, the session of the killed member expires.
      if (former !== undefined) endFormer(this.#options, this.#standing(former), joined.signal).catch(() => {})
      try {
        return await this.#join()
      } catch (thrown) {
        if (STRANGER.has(typeOf(thrown) ?? '')) this.#memberId = ''
        throw thrown
      } finally {
        joined.abort()
      }
    }
    const generation = await this.#brokerRetries.untilDone('the group', AWAY_MS_MAX, join, () => repair(this.#cluster))
    this.#loop = this.#stay(generation).catch((failure: unknown) => this.#failed(failure))
  }
  async stop(): Promise<void> {
    this.#brokerRetries.isClosing = true
    this.#stopping.abort()
    await within(this.#leave(), STOP_MS_MAX)
    await this.#cluster.disconnect().catch(() => {})
  }

  async #leave(): Promise<void> {
    await within(this.#loop, AGREE_MS_MAX)
    if (this.#memberId === '') return
    await leaveGroup(this.#options, this.#standing(this.#memberId))
    this.#options.memory?.write(undefined)
  }
  #standing(memberId: string): Standing {
    return { groupId: this.#groupId, memberId }
  }

  /** Sends heartbeats, and joins again at each rebalance. */
  async #stay(first: number): Promise<void> {
    for (let generation: number | undefined = first; !this.#stopping.signal.aborted; ) {
      try {
        generation ??= await this.#join()
        await pause(HEARTBEAT_MS, this.#stopping.signal)
        if (this.#stopping.signal.aborted) return
        await this.#beat(generation)
        this.#brokerRetries.worked()
        this.#heardAtMs = performance.now()
        if (this.#isAwaitedWarm()) generation = undefined
      } catch (thrown) {
        generation = undefined
        await this.#recover(thrown)
      }
    }
  }
  async #beat(groupGenerationId: number): Promise<void> {
    const coordinator = this.#coordinator
    if (coordinator !== undefined) await limited(coordinator.heartbeat({ ...this.#standing(this.#memberId), groupGenerationId }))
  }
  async #recover(thrown: unknown): Promise<void> {
    const type = typeOf(thrown) ?? ''
    if (type === AGREEING) return
    if (STRANGER.has(type)) {
      this.#memberId = ''
      return
    }
    const failure = this.#brokerRetries.judge('the group', thrown)
    if (!failure.retriable) throw failure
    await pause(HEARTBEAT_MS, this.#stopping.signal)
    await repair(this.#cluster)
  }
  /** One round: joins, syncs and reports the assignment. Returns the generation. */
  async #join(): Promise<number> {
    const groupId = this.#groupId
    const coordinator = (await limited(this.#cluster.findGroupCoordinator({ groupId }))) as Coordinator
    this.#coordinator = coordinator
    const times = { sessionTimeout: SESSION_MS, rebalanceTimeout: REBALANCE_MS }
    const groupProtocols = [{ name: PROTOCOL, metadata: this.#metadata() }]
    const joined = await limited(coordinator.joinGroup({ groupId, ...times, memberId: this.#memberId, groupProtocols }))
    const { generationId, memberId, leaderId } = joined
    if (memberId !== this.#memberId) this.#options.memory?.write(memberId)
    this.#memberId = memberId
    const groupAssignment = leaderId === memberId ? this.#plan(joined) : []
    const { memberAssignment } = await limited(coordinator.syncGroup({ groupId, generationId, memberId, groupAssignment }))
    this.#notify(decodeShare(this.#options.prefix, memberAssignment))
    return generationId
  }
  /** A changed description of a member makes the group assign again. */
  #isAwaitedWarm(): boolean {
    const { awaited } = this.#mine
    const warm = this.#warm()
    return awaited.length > 0 && awaited.every((topicPartition) => warm.has(topicPartition))
  }
  #metadata(): Buffer {
    return encodeMember(this.#options.prefix, this.#partitions, { has: this.#mine.partitions, warm: [...this.#warm()] })
  }
  #plan({ members }: Joined): { readonly memberId: string; readonly memberAssignment: Buffer }[] {
    const weighed = this.#partitions.map((topicPartition): Weighed => ({ topicPartition, weight: this.#options.weightOf(topicPartition) }))
    const { prefix, standbys } = this.#options
    const known = members.map(({ memberId, memberMetadata }) => decodeMember(memberId, memberMetadata))
    const plan = planAssignment(known, weighed, standbys)
    return [...plan].map(([memberId, share]) => ({ memberId, memberAssignment: encodeShare(prefix, share) }))
  }
  /** Does not wait for `assigned`: heartbeats have to continue meanwhile. */
  #notify(share: Share): void {
    this.#mine = share
    this.#heardAtMs = performance.now()
    this.#assigned(new Set(share.partitions), new Set(share.standbys)).catch((failure: unknown) => this.#failed(failure))
  }
}
