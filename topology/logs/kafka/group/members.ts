// Requests about members of a consumer group, over connections of their own: while a join waits for other members, its connection accepts
// no further request.
import type { Broker } from 'kafkajs'
import { pause } from '../../../waiting/waiting.ts'
import { createClient, withCluster } from '../client.ts'
import type { KafkaLogOptions } from '../options.ts'

/** How often a starting member looks whether the group waits. */
const LOOK_MS = 20
const WAITING = 'PreparingRebalance'

export interface Standing {
  readonly groupId: string
  readonly memberId: string
}
/** A request that kafkajs has but does not type. */
interface Leaving extends Broker {
  leaveGroup(request: Standing): Promise<unknown>
}
type Place = Pick<KafkaLogOptions, 'brokers' | 'security'>

/** The id of a process's newest membership, which outlives a kill. Only one process at a time may use it. */
export interface MemberMemory {
  /** Undefined if the membership was ended, or none is known. */
  read(): string | undefined
  /** Undefined: the membership has ended. */
  write(memberId: string | undefined): void
}

export const leaveGroup = (place: Place, standing: Standing): Promise<unknown> =>
  withCluster(createClient(place), async (cluster) => {
    const coordinator = (await cluster.findGroupCoordinator({ groupId: standing.groupId })) as Leaving
    await coordinator.leaveGroup(standing)
  })

/**
 * Ends the membership of a killed process once a join waits for it, which would otherwise take until its session expires. Not earlier: a
 * join into an empty group is delayed by the brokers (`group.initial.rebalance.delay.ms`, 3 s by default). Ends without effect when
 * `joined` fires first.
 */
export const endFormer = async (place: Place, former: Standing, joined: AbortSignal): Promise<void> => {
  const admin = createClient(place).admin()
  try {
    await admin.connect()
    while (!joined.aborted) {
      const [group] = (await admin.describeGroups([former.groupId])).groups
      const isMember = group?.members.some(({ memberId }) => memberId === former.memberId) === true
      if (isMember && group?.state === WAITING) return void (await leaveGroup(place, former))
      await pause(LOOK_MS, joined)
    }
  } finally {
    await admin.disconnect()
  }
}
