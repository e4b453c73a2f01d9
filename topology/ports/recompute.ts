// What the API asks of the tape: whether a finding comes out again. Bounded in frames, time and number; never in the way of an answer.
import type { KeptFinding } from './history.ts'

/** A field that is not what it was. `recomputed` is null where nothing was found. */
export interface Difference {
  readonly field: string
  readonly stored: unknown
  readonly recomputed: unknown
}

export type Verdict =
  | { readonly recomputed: 'same' }
  | { readonly recomputed: 'differs'; readonly differences: readonly Difference[] }
  | { readonly recomputed: null; readonly recomputed_reason: string }

/** What was concluded once, as far as it is known: what is not is not compared. */
export type StoredFinding = Pick<KeptFinding, 'flag' | 'at' | 'mintAgeS' | 'evidence' | 'isRetracted'> &
  Partial<Pick<KeptFinding, 'detectorVersion' | 'detectorHash' | 'events'>>

/** An event that a finding names, as the tape has it. */
export interface ProvenEvent {
  readonly event_id: string
  readonly position: string
  readonly type: string
  /** Of the transaction: base58, or the hash in hex. */
  readonly signature: string
}

export interface RecomputedFinding {
  readonly verdict: Verdict
  /** Of the finding, in its order; null where the tape does not hold them. */
  readonly events: readonly ProvenEvent[] | null
}

/** JSON of a bundle, which `verify_finding.py` checks, or why there is none. */
export type BundleAnswer = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string }

export interface Recomputer {
  /** Answers within its limits, or null with the reason; never rejects. */
  recompute(findingId: string, stored: StoredFinding): Promise<RecomputedFinding>
  /** The finding with the bytes that prove its events, as far as limits and a node allow; never rejects. */
  bundle(findingId: string, stored: StoredFinding): Promise<BundleAnswer>
}
