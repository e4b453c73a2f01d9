// Limits of partition snapshots.

export interface SnapshotLimits {
  /** Interval of the rounds, ms: a partition is written at most once in each, however fast it grows while the tasks catch up. */
  readonly roundMs: number
  /**
   * A snapshot is replaced when the log after it has this many offsets, half of which are transaction markers. With twelve partitions, it
   * takes about two seconds of CPU time to read so many offsets of all topics.
   */
  readonly tailOffsetsMin: number
  /** These offsets must also be at least this share of the snapshot's number of records, because a replacement writes all records again. */
  readonly tailShareMin: number
  /** A snapshot older than this is replaced however few offsets follow it, ms. */
  readonly renewMs: number
  /**
   * A snapshot older than this is refused, ms: brokers keep a tombstone for 24 h after its compaction (delete.retention.ms), and a key
   * whose tombstone is gone would come back. Half of 24 h leaves time for the read, and for clocks that differ.
   */
  readonly ageMsMax: number
  /** Bytes of the log's newest records that are collected in memory before they are merged with the former snapshot. */
  readonly mergeBytesMax: number
}

const HOUR_MS = 3_600_000

export const SNAPSHOT_LIMITS: SnapshotLimits = {
  roundMs: 300_000,
  tailOffsetsMin: 2_000,
  tailShareMin: 0.1,
  renewMs: 6 * HOUR_MS,
  ageMsMax: 12 * HOUR_MS,
  mergeBytesMax: 32 * 1024 * 1024,
}
