// A feed that alerts are made from, with places in it that outlive the process.
import type { Key } from '../../../schemas/keys.ts'
import type { AlertKind } from '../alert.ts'

/** Something that subscriptions are about. */
export interface AlertEvent {
  readonly mint: Key
  /** Stream time, unix seconds. */
  readonly at: number
  /** Odds, millionths; null for other kinds. */
  readonly ppm: number | null
  readonly flag: string | null
  readonly findingId: string | null
  /** Whether it lies behind a place of its feed. */
  isSince(place: unknown): boolean
}

/** `Place` is JSON: everything before it was read. */
export interface AlertSource<Place = unknown> {
  readonly kind: AlertKind
  /** False while what it is about is still being read: nothing of it is read then, and nothing left out. Absent: it can always be read. */
  isReadable?(): boolean
  /** Behind everything that can be read now; null while nothing can. */
  newest(): Place | null
  /** Some of what lies behind a place, in the order of the feed, and the place behind it: the same place where there is nothing. */
  read(from: Place): Promise<{ readonly events: readonly AlertEvent[]; readonly next: Place }>
  /** True where something may lie behind `place` and before `other`. */
  isBehind(place: Place, other: Place): boolean
  /** Calls after something new can be read; absent: it is looked for. Returns how to stop. */
  onNew?(listener: () => void): () => void
}
