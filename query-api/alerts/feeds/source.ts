// The interface of a feed of alert events. Its position is stored, as a consumer's offsets are.
import type { Key } from '../../../schemas/keys.ts'
import type { AlertKind } from '../alert.ts'

/** An event that subscriptions can match. */
export interface AlertEvent {
  readonly mint: Key
  /** Stream time, unix seconds. */
  readonly at: number
  /** Odds, millionths; null for other kinds. */
  readonly ppm: number | null
  readonly flag: string | null
  readonly findingId: string | null
  /** Whether the event comes after a position of its feed. */
  isAfter(position: unknown): boolean
}

/** `Position` is JSON: every event up to it has been read. */
export interface AlertSource<Position = unknown> {
  readonly kind: AlertKind
  /** False while its state is still being restored: the feed is then not read, and nothing is skipped. Absent: always readable. */
  isReadable?(): boolean
  /** The position after all events that are readable now; null while nothing is readable. */
  newest(): Position | null
  /** Events after `from`, in feed order, and the next position to read from: `from` itself if there are none. */
  read(from: Position): Promise<{ readonly events: readonly AlertEvent[]; readonly next: Position }>
  /** Whether `position` is before `other`. */
  isBehind(position: Position, other: Position): boolean
  /** Calls `listener` when new events are readable; returns an unsubscribe function. Absent: the feed is polled. */
  onNew?(listener: () => void): () => void
}
