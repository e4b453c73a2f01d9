// The checkpoint of each owner, a record in the topic `owners` written with every commit: its generation, and its input offsets.
//
// Offsets of consumer groups would expire after a week without a commit, cost three more requests per commit, and cannot name our sources.
// With a generation and a count of commits, the record also distinguishes a zombie from an owner whose transaction timed out, and shows
// whether a commit succeeded whose answer was lost.
import type { Cluster } from 'kafkajs'
import { ownerCodec } from '../../../../schemas/codecs.ts'
import { assert } from '../../../../schemas/errors.ts'
import type { OwnerStanding } from '../../../../schemas/types.ts'
import { murmur2 } from '../../../engine/partition.ts'
import type { TopicPartition } from '../reading/partition.ts'
import type { Wire } from '../registry/wire.ts'
import { endOfTransaction, nextOffset } from '../wire/committed.ts'
import { type Fetched, fetchBounds, fetchHighWatermark, fetchOne, READ_UNCOMMITTED } from '../wire/fetch.ts'
import type { RawRecord } from '../wire/record-set.ts'

const STEP_OFFSETS_MIN = 64
const STEP_FACTOR = 8
const BYTES_MAX = 1024 * 1024

/** The partition that holds an owner's records. */
export const checkpointPartition = (id: string, partitions: number): number => (murmur2(Buffer.from(id)) & 0x7fffffff) % partitions

export interface StoredCheckpoint {
  /** The newest committed checkpoint; undefined before the first. */
  readonly checkpoint: OwnerStanding | undefined
  /** Producers with a newer one in an open transaction: their number, and the epoch of that transaction. */
  readonly open: ReadonlyMap<bigint, number>
}

/**
 * Reads the checkpoint of an owner. Reads uncommitted records as well and applies the markers itself, because open transactions of other
 * owners in the same partition may precede ours.
 */
export const readCheckpoint = async (
  cluster: Cluster,
  topicPartition: TopicPartition,
  wire: Wire,
  id: string,
): Promise<StoredCheckpoint> => {
  const start = (await fetchBounds(cluster, [topicPartition])).get(topicPartition.name)?.start ?? 0
  const end = await fetchHighWatermark(cluster, topicPartition)
  for (let step = STEP_OFFSETS_MIN; ; step *= STEP_FACTOR) {
    const from = Math.max(start, end - step)
    const found = await newestIn(cluster, topicPartition, wire, id, from, end)
    if (found.checkpoint !== undefined || from === start) return found
  }
}

const newestIn = async (
  cluster: Cluster,
  topicPartition: TopicPartition,
  wire: Wire,
  id: string,
  from: number,
  end: number,
): Promise<StoredCheckpoint> => {
  const open = new Map<bigint, { readonly record: RawRecord; readonly epoch: number }>()
  let newest: RawRecord | undefined
  for (let at = from; at < end; ) {
    const fetched = await fetchUndecided(cluster, topicPartition, at)
    for (const batch of fetched.batches) {
      const { producerId, epoch, isInTransaction, isControl, records } = batch
      if (isControl) {
        if (endOfTransaction(batch) === 'committed') newest = open.get(producerId)?.record ?? newest
        open.delete(producerId)
        continue
      }
      const own = records.findLast(({ offset, key }) => offset >= at && key?.toString('utf8') === id)
      if (own !== undefined && isInTransaction) open.set(producerId, { record: own, epoch })
      else newest = own ?? newest
    }
    at = nextOffset({ ...fetched, lastStableOffset: end })
  }
  const epochs = new Map(Array.from(open, ([producerId, { epoch }]) => [producerId, epoch]))
  return { checkpoint: newest === undefined ? undefined : await decode(newest, wire), open: epochs }
}

const decode = async ({ value, offset }: RawRecord, wire: Wire): Promise<OwnerStanding> => {
  const unwrapped = await wire.unwrap(value ?? Buffer.alloc(0))
  const parsed = 'fault' in unwrapped ? undefined : ownerCodec.decode(unwrapped.value)
  assert(parsed?.ok === true, `the owner's record at offset ${offset} is unreadable`)
  return parsed.value
}

const fetchUndecided = (cluster: Cluster, topicPartition: TopicPartition, from: number): Promise<Fetched> =>
  fetchOne(cluster, { topicPartition, from, bytesMax: BYTES_MAX }, { waitMs: 0, bytesMax: BYTES_MAX, isolation: READ_UNCOMMITTED })
