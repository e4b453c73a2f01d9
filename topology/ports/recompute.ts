// Recomputes findings from the tape for the API: one at a time, and with a limit of frames and time, so that no answer waits longer.
import type { KeptFinding } from './history.ts'

/** A field whose value changed. `recomputed` is null if the replay produced no finding. */
export interface Difference {
  readonly field: string
  readonly stored: unknown
  readonly recomputed: unknown
}

export type Verdict =
  | { readonly recomputed: 'same' }
  | { readonly recomputed: 'differs'; readonly differences: readonly Difference[] }
  | { readonly recomputed: null; readonly recomputed_reason: string }

/** The stored finding, as far as it is known: unknown fields are not compared. */
export type StoredFinding = Pick<KeptFinding, 'flag' | 'at' | 'mintAgeS' | 'evidence' | 'isRetracted'> &
  Partial<Pick<KeptFinding, 'detectorVersion' | 'detectorHash' | 'events'>>

/** An event of a finding, as stored on the tape. */
export interface ProvenEvent {
  readonly event_id: string
  readonly position: string
  readonly type: string
  /** Id of the transaction: base58, or its hash in hex. */
  readonly signature: string
}

export interface RecomputedFinding {
  readonly verdict: Verdict
  /** The finding's events, in its order; null if they are not on the tape. */
  readonly events: readonly ProvenEvent[] | null
}

/** JSON of a bundle, which `verify_finding.py` checks, or the reason there is none. */
export type BundleAnswer = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string }

export interface Recomputer {
  /** Returns a verdict within its limits, or null with the reason; never rejects. */
  recompute(findingId: string, stored: StoredFinding): Promise<RecomputedFinding>
  /** The finding with the bytes that prove its events, within the limits and as far as a node returns them; never rejects. */
  bundle(findingId: string, stored: StoredFinding): Promise<BundleAnswer>
}
