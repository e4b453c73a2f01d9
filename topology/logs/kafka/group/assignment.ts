// The assignment of places by a consumer group: the group alone is used, reading and offsets are the log's own.
//
// Eager rebalance, with a difference: a member goes on with what it has while the group agrees anew, and afterwards ends what it lost.
// Until it has, the new owner's takeover fences it; so the group need not be waited for, and nothing is lost or done twice.
import { AssignerProtocol, type Broker, type Cluster } from 'kafkajs'
import type { Assigned, Assignment } from '../../../ports/assignment.ts'
import { pause, within } from '../../../waiting/waiting.ts'
import { createClient, createCluster, mend } from '../client.ts'
import type { KafkaLogOptions } from '../options.ts'
import { Patience } from '../patience.ts'
import { type Member, planAssignment, type Weighed } from './assignment-plan.ts'

/** The name of the way to agree: members of another way are refused by the broker. */
const PROTOCOL = 'mintfold'
/** A member that is not heard of for so long is dead. Brokers take 6 s and more. */
const SESSION_MS = 6_000
/**
 * The group waits so long for its members to come to a rebalance, and again so long for them to fetch their shares: six heartbeats. One
 * that froze or died meanwhile is missed no later than at any other time; one that was only slow joins again, and its work goes on.
 */
const REBALANCE_MS = 3_000
const HEARTBEAT_MS = 500
/** A fenced task's place must be known to have moved after this. */
const SETTLE_MS = SESSION_MS + REBALANCE_MS + 4_000
/** At a stop a rebalance under way is waited for so long, */
const AGREE_MS_MAX = 500
/** and the whole stop takes no longer: who does not get to leave is missed as one that died. */
const STOP_MS_MAX = 1_500
/** The start waits so long for the brokers. */
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
interface Standing {
  readonly groupId: string
  readonly memberId: string
}
/** Requests of group members, which kafkajs has and its types leave out. */
interface Coordinator extends Broker {
  joinGroup(request: JoinRequest): Promise<Joined>
  syncGroup(
    request: Standing & {
      readonly generationId: number
      readonly groupAssignment: readonly { readonly memberId: string; readonly memberAssignment: Buffer }[]
    },
  ): Promise<{ readonly memberAssignment: Buffer }>
  heartbeat(request: Standing & { readonly groupGenerationId: number }): Promise<unknown>
  leaveGroup(request: Standing): Promise<unknown>
}

export interface KafkaAssignmentOptions extends Pick<KafkaLogOptions, 'brokers' | 'security' | 'prefix' | 'notice'> {
  /** Name of the consumer group behind the prefix. */
  readonly group: string
  /** What the work of a place costs, in units of one partition's folds. */
  readonly weightOf: (place: string) => number
}

/** What the broker says to a member that it does not count any more, or that came while others agreed. */
const STRANGER = new Set(['UNKNOWN_MEMBER_ID', 'ILLEGAL_GENERATION'])
const AGREEING = 'REBALANCE_IN_PROGRESS'

const typeOf = (thrown: unknown): string | undefined => (thrown as { type?: string } | null)?.type

/** `topic/partition` to the wire and back; topics carry the prefix there, so that the tools of Kafka show what they know. */
const encodeAssignment = (prefix: string, places: readonly string[]): Buffer => {
  const assignment: Record<string, number[]> = {}
  for (const place of places) {
    const slash = place.lastIndexOf('/')
    const topic = prefix + place.slice(0, slash)
    assignment[topic] = [...(assignment[topic] ?? []), Number(place.slice(slash + 1))]
  }
  return AssignerProtocol.MemberAssignment.encode({ version: 0, assignment, userData: Buffer.alloc(0) })
}
const decodeAssignment = (prefix: string, bytes: Buffer): ReadonlySet<string> => {
  const assignment = AssignerProtocol.MemberAssignment.decode(bytes)?.assignment ?? {}
  return new Set(
    Object.entries(assignment).flatMap(([topic, partitions]) =>
      partitions.map((partition) => `${topic.slice(prefix.length)}/${partition}`),
    ),
  )
}
const topicsOf = (places: readonly string[], prefix: string): string[] => [
  ...new Set(places.map((place) => prefix + place.slice(0, place.lastIndexOf('/')))),
]
const memberOf = ({ memberId, memberMetadata }: Joined['members'][number]): Member => {
  const { userData } = AssignerProtocol.MemberMetadata.decode(memberMetadata) ?? {}
  return { id: memberId, has: userData === undefined ? [] : (JSON.parse(userData.toString('utf8')) as string[]) }
}

export class KafkaAssignment implements Assignment {
  readonly settleMs = SETTLE_MS
  readonly #options: KafkaAssignmentOptions
  readonly #groupId: string
  readonly #cluster: Cluster
  readonly #patience: Patience
  readonly #stopping = new AbortController()
  #places: readonly string[] = []
  #mine: ReadonlySet<string> = new Set()
  /** The broker then counted us as a member. */
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
    this.#patience = new Patience(options.brokers, options.notice)
    this.done = new Promise((resolve, reject) => {
      this.#failed = reject
      this.#stopping.signal.addEventListener('abort', () => resolve(), { once: true })
    })
    this.done.catch(() => {})
  }
  get isHeard(): boolean {
    return performance.now() - this.#heardAtMs < SESSION_MS
  }
  async start(places: readonly string[], assigned: Assigned): Promise<void> {
    this.#places = places
    this.#assigned = assigned
    const join = async (): Promise<number> => {
      await this.#cluster.connect()
      try {
        return await this.#join()
      } catch (thrown) {
        if (STRANGER.has(typeOf(thrown) ?? '')) this.#memberId = ''
        throw thrown
      }
    }
    const generation = await this.#patience.persist('the group', AWAY_MS_MAX, join, () => mend(this.#cluster))
    this.#loop = this.#stay(generation).catch((failure: unknown) => this.#failed(failure))
  }
  async stop(): Promise<void> {
    this.#patience.isClosing = true
    this.#stopping.abort()
    await within(this.#leave(), STOP_MS_MAX)
    await this.#cluster.disconnect().catch(() => {})
  }

  /** While a join of ours waits for others, its connection takes no further request: we leave on another. */
  async #leave(): Promise<void> {
    await within(this.#loop, AGREE_MS_MAX)
    const [groupId, memberId] = [this.#groupId, this.#memberId]
    if (memberId === '') return
    const cluster = createCluster(createClient(this.#options))
    try {
      await cluster.connect()
      const coordinator = (await cluster.findGroupCoordinator({ groupId })) as Coordinator
      await coordinator.leaveGroup({ groupId, memberId })
    } finally {
      await cluster.disconnect()
    }
  }

  /** Heartbeats, and joins anew whenever the group does. */
  async #stay(first: number): Promise<void> {
    for (let generation: number | undefined = first; !this.#stopping.signal.aborted; ) {
      try {
        generation ??= await this.#join()
        await pause(HEARTBEAT_MS, this.#stopping.signal)
        if (this.#stopping.signal.aborted) return
        await this.#coordinator?.heartbeat({ groupId: this.#groupId, memberId: this.#memberId, groupGenerationId: generation })
        this.#patience.worked()
        this.#heardAtMs = performance.now()
      } catch (thrown) {
        generation = undefined
        await this.#recover(thrown)
      }
    }
  }
  async #recover(thrown: unknown): Promise<void> {
    const type = typeOf(thrown) ?? ''
    if (type === AGREEING) return
    if (STRANGER.has(type)) {
      this.#memberId = ''
      return
    }
    const failure = this.#patience.judge('the group', thrown)
    if (!failure.retriable) throw failure
    await pause(HEARTBEAT_MS, this.#stopping.signal)
    await mend(this.#cluster)
  }
  /** One round: joins, agrees, and says what is here. Gives the generation. */
  async #join(): Promise<number> {
    const groupId = this.#groupId
    const coordinator = (await this.#cluster.findGroupCoordinator({ groupId })) as Coordinator
    this.#coordinator = coordinator
    const joined = await coordinator.joinGroup({
      groupId,
      sessionTimeout: SESSION_MS,
      rebalanceTimeout: REBALANCE_MS,
      memberId: this.#memberId,
      groupProtocols: [{ name: PROTOCOL, metadata: this.#metadata() }],
    })
    const { generationId, memberId, leaderId } = joined
    this.#memberId = memberId
    const groupAssignment = leaderId === memberId ? this.#plan(joined) : []
    const { memberAssignment } = await coordinator.syncGroup({ groupId, generationId, memberId, groupAssignment })
    this.#tell(decodeAssignment(this.#options.prefix, memberAssignment))
    return generationId
  }
  #metadata(): Buffer {
    const topics = topicsOf(this.#places, this.#options.prefix)
    return AssignerProtocol.MemberMetadata.encode({ version: 0, topics, userData: Buffer.from(JSON.stringify([...this.#mine])) })
  }
  #plan({ members }: Joined): { readonly memberId: string; readonly memberAssignment: Buffer }[] {
    const weighed = this.#places.map((place): Weighed => ({ place, weight: this.#options.weightOf(place) }))
    const plan = planAssignment(members.map(memberOf), weighed)
    return [...plan].map(([memberId, places]) => ({ memberId, memberAssignment: encodeAssignment(this.#options.prefix, places) }))
  }
  /** Not waited for: the group must hear from us meanwhile. */
  #tell(mine: ReadonlySet<string>): void {
    this.#mine = mine
    this.#heardAtMs = performance.now()
    this.#assigned(mine).catch((failure: unknown) => this.#failed(failure))
  }
}
