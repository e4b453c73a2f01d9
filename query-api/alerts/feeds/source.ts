// The interface of a feed of alert events, with durable places.
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
  /** Whether it is after a place of its feed. */
  isSince(place: unknown): boolean
}

/** `Place` is JSON: everything before it has been read. */
export interface AlertSource<Place = unknown> {
  readonly kind: AlertKind
  /** False while its state is still being restored: the feed is then not read, and nothing is skipped. Absent: always readable. */
  isReadable?(): boolean
  /** The place after everything readable now; null while nothing is readable. */
  newest(): Place | null
  /** Events after a place, in feed order, and the place after them: the same place if there are none. */
  read(from: Place): Promise<{ readonly events: readonly AlertEvent[]; readonly next: Place }>
  /** Whether events may exist between `place` and `other`. */
  isBehind(place: Place, other: Place): boolean
  /** Calls `listener` when new events are readable; returns an unsubscribe function. Absent: the feed is polled. */
  onNew?(listener: () => void): () => void
}
