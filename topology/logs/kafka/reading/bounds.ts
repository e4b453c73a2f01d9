// How far a partition is: its exact end needs a look at the last records, because markers of transactions have offsets too.
import { pause } from '../../../waiting/waiting.ts'
import type { Partition } from './partition.ts'
import type { Reader } from './reader.ts'

/** Looks so far back from the end at first, and then so many times further. */
const STEP_OFFSETS_MIN = 4
const STEP_FACTOR = 8
const AT_ONCE_MAX = 8
const POLL_MS = 2

/** Finds where the newest visible record is, going back from what is decided. */
const findEnd = async (reader: Reader, partition: Partition): Promise<void> => {
  const { start, stableEnd } = partition
  for (let step = STEP_OFFSETS_MIN; ; step *= STEP_FACTOR) {
    const from = Math.max(start, stableEnd - step)
    let end = -1
    for (let at = from; at < stableEnd; ) {
      const span = partition.spanAt(at) ?? (await reader.fetch(partition, at))
      const last = span.records.at(-1)
      if (last !== undefined && last.offset >= from) end = last.offset + 1
      at = span.next
    }
    if (end < 0 && from > start) continue
    partition.end = Math.max(partition.end, end < 0 ? start : end)
    partition.measuredEnd = stableEnd
    return
  }
}

/** Brings `start`, `stableEnd` and `end` of partitions that are not followed up to date. */
export const measure = async (reader: Reader, partitions: readonly Partition[]): Promise<void> => {
  await reader.learnBounds(partitions)
  // Of two callers at once both wait for the end: that one of them has learnt the bounds is not enough.
  const moved = partitions.filter(({ stableEnd, measuredEnd }) => stableEnd !== measuredEnd)
  for (let at = 0; at < moved.length; at += AT_ONCE_MAX)
    await Promise.all(moved.slice(at, at + AT_ONCE_MAX).map((partition) => findEnd(reader, partition)))
}

/** As `measure`, of one; waits until its own newest commits are decided there, but not longer than `msMax`. */
export const measureOwn = async (reader: Reader, partition: Partition, msMax: number): Promise<void> => {
  const promised = partition.end
  await measure(reader, [partition])
  for (const until = performance.now() + msMax; partition.stableEnd < promised && performance.now() < until; ) {
    await pause(POLL_MS)
    await measure(reader, [partition])
  }
}
