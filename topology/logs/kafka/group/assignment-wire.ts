// What members of the group and their leader tell each other, in the formats of Kafka's consumer protocol. On the wire topics have the
// prefix, so that Kafka's tools show real topic names; `userData` has them without it.
import { AssignerProtocol } from 'kafkajs'
import * as z from 'zod'
import { parsePartitionName } from '../reading/partition.ts'
import type { Member, Share } from './assignment-plan.ts'

/** In a member's list: it can stand by. */
const CAN_STAND_BY = 'standbys'
/** In a member's list: the partition after it is one that it could take over fast. */
const WARM = 'warm:'

/**
 * A list of texts: the partitions that the member runs, and what a leader of an older version takes for partitions that do not exist.
 * `partitions`: all of the group.
 */
export const encodeMember = (prefix: string, partitions: readonly string[], { has, warm }: Pick<Member, 'has' | 'warm'>): Buffer => {
  const topics = [...new Set(partitions.map((name) => prefix + parsePartitionName(name).topicName))]
  const list = [...has, ...warm.map((topicPartition) => WARM + topicPartition), CAN_STAND_BY]
  return AssignerProtocol.MemberMetadata.encode({ version: 0, topics, userData: Buffer.from(JSON.stringify(list)) })
}

export const decodeMember = (id: string, metadata: Buffer): Member => {
  const { userData } = AssignerProtocol.MemberMetadata.decode(metadata) ?? {}
  const list = userData === undefined ? [] : (JSON.parse(userData.toString('utf8')) as string[])
  const warm = list.filter((text) => text.startsWith(WARM)).map((text) => text.slice(WARM.length))
  return { id, has: list.filter((text) => text.includes('/') && !text.startsWith(WARM)), warm, canStandBy: list.includes(CAN_STAND_BY) }
}

const standbysSchema = z.object({ standbys: z.array(z.string()), awaited: z.array(z.string()) })

export const encodeShare = (prefix: string, { partitions, standbys, awaited }: Share): Buffer => {
  const assignment: Record<string, number[]> = {}
  for (const { topicName, partition } of partitions.map(parsePartitionName)) {
    const topic = prefix + topicName
    assignment[topic] = [...(assignment[topic] ?? []), partition]
  }
  return AssignerProtocol.MemberAssignment.encode({ version: 0, assignment, userData: Buffer.from(JSON.stringify({ standbys, awaited })) })
}

/** A leader of an older version assigns no standbys. */
export const decodeShare = (prefix: string, bytes: Buffer): Share => {
  const { assignment = {}, userData } = AssignerProtocol.MemberAssignment.decode(bytes) ?? {}
  const partitions = Object.entries(assignment).flatMap(([topic, numbers]) =>
    numbers.map((number) => `${topic.slice(prefix.length)}/${number}`),
  )
  const isGiven = userData !== undefined && userData.length > 0
  return { partitions, ...(isGiven ? standbysSchema.parse(JSON.parse(userData.toString('utf8'))) : { standbys: [], awaited: [] }) }
}
