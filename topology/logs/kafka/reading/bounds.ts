// Bounds of a partition: finding its exact end requires reading the last records, because transaction markers have offsets too.
import { pause } from '../../../waiting/waiting.ts'
import type { Partition } from './partition.ts'
import type { PartitionReader } from './reader.ts'

/** The first step of the search begins this many offsets before the last stable offset. */
const STEP_OFFSETS_MIN = 4
/** Each further step begins this many times as far back as the step before it. */
const STEP_FACTOR = 8
const AT_ONCE_MAX = 8
const POLL_MS = 2

/** Finds the newest visible record, searching backwards from the last stable offset. */
const findEnd = async (reader: PartitionReader, partition: Partition): Promise<void> => {
  const { start, lastStableOffset } = partition
  for (let step = STEP_OFFSETS_MIN; ; step *= STEP_FACTOR) {
    const from = Math.max(start, lastStableOffset - step)
    let end = -1
    for (let at = from; at < lastStableOffset; ) {
      const span = partition.spanAt(at) ?? (await reader.fetch(partition, at))
      const last = span.records.at(-1)
      if (last !== undefined && last.offset >= from) end = last.offset + 1
      at = span.next
    }
    if (end < 0 && from > start) continue
    partition.end = Math.max(partition.end, end < 0 ? start : end)
    partition.measuredEnd = lastStableOffset
    return
  }
}

/** Requests `start` and `lastStableOffset` of the partitions, and finds `end` where the latter changed. */
export const measure = async (reader: PartitionReader, partitions: readonly Partition[]): Promise<void> => {
  await reader.learnBounds(partitions)
  // Compares with `measuredEnd`: a concurrent call may have stored the same `lastStableOffset`, but not yet found `end`.
  const moved = partitions.filter(({ lastStableOffset, measuredEnd }) => lastStableOffset !== measuredEnd)
  for (let at = 0; at < moved.length; at += AT_ONCE_MAX)
    await Promise.all(moved.slice(at, at + AT_ONCE_MAX).map((partition) => findEnd(reader, partition)))
}

/** Like `measure`, for one partition; waits until this process's newest commits are decided there, at most `msMax`. */
export const measureOwn = async (reader: PartitionReader, partition: Partition, msMax: number): Promise<void> => {
  const promised = partition.end
  await measure(reader, [partition])
  for (const until = performance.now() + msMax; partition.lastStableOffset < promised && performance.now() < until; ) {
    await pause(POLL_MS)
    await measure(reader, [partition])
  }
}
