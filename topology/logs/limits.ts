// Limits of every log adapter, and the check of a commit before anything is written.
import { assert } from '../../schemas/errors.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { Commit } from '../ports/log.ts'

/** Keys in compacted topics are also index keys; lmdb takes at most 1,978 bytes. */
const KEY_BYTES_MAX = 1024
/** Raw frames are split into parts of 512 KB and changelog pages stay below 64 KB; this is far above both. */
export const VALUE_BYTES_MAX = 16 * 1024 * 1024
/** Records of one commit: some hundred are usual; the engine's limit is 10,000 events. */
export const COMMIT_RECORDS_MAX = 200_000
/** Ids of owners, topics and inputs are short names. */
export const ID_BYTES_MAX = 512
/** Commits of all owners that may wait for the medium: more means that a caller does not wait for its own commits. */
export const COMMITS_WAITING_MAX = 10_000
/**
 * A tombstone stays readable until its partition has grown by this many records, so that consumers see the removal; then key and
 * tombstone are deleted. A consumer further behind must read from the start again.
 */
export const TOMBSTONE_RECORDS_KEPT = 100_000

export interface LogShape {
  /** Number of partitions of partitioned topics. */
  readonly partitions: number
  /** See TOMBSTONE_RECORDS_KEPT, which is the default. */
  readonly tombstoneRecordsKept?: number
}

export const partitionsOf = (topic: Topic, partitions: number): number => (topic.partitions === 'one' ? 1 : partitions)

export const assertPartition = (topic: Topic, partition: number, partitions: number): void =>
  assert(
    Number.isInteger(partition) && partition >= 0 && partition < partitionsOf(topic, partitions),
    `${topic.name} has no partition ${partition}`,
  )

/** Asserts that a commit is within the limits; returns its bytes. */
export const checkCommit = ({ outputs, inputs }: Commit, partitions: number): number => {
  assert(outputs.length <= COMMIT_RECORDS_MAX, `a commit of ${outputs.length} records is over ${COMMIT_RECORDS_MAX}`)
  let bytes = 0
  for (const { topic, partition, key, value } of outputs) {
    assertPartition(topic, partition, partitions)
    assert(key.length <= KEY_BYTES_MAX, `a key of ${key.length} bytes in ${topic.name} is over ${KEY_BYTES_MAX}`)
    const valueBytes = value?.length ?? 0
    assert(valueBytes <= VALUE_BYTES_MAX, `a value of ${valueBytes} bytes in ${topic.name} is over ${VALUE_BYTES_MAX}`)
    bytes += key.length + valueBytes
  }
  for (const [name, offset] of inputs) assert(Number.isSafeInteger(offset) && offset >= 0, `input ${name} has no offset ${offset}`)
  return bytes
}

export const assertId = (id: string): void =>
  assert(id.length > 0 && Buffer.byteLength(id) <= ID_BYTES_MAX, `an owner's id has 1 to ${ID_BYTES_MAX} bytes`)
