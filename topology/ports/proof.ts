// The port for proofs of a finding's events: bytes that anybody can check, and the fields they prove.

/** An event of the finding. Amounts are base units, decimal; null where the event has none. */
export interface Claim {
  readonly event_id: string
  readonly position: string
  readonly type: string
  readonly signature: string
  readonly mint: string
  /** Who launched, bought or sold. */
  readonly user: string | null
  readonly curve: string | null
  readonly is_buy: boolean | null
  readonly token_units: string | null
  /** What the user paid or received: after fees if the event includes them, else without them. */
  readonly quote_units: string | null
  /** Total supply, on a launch. */
  readonly supply_units: string | null
}

/** Bytes encoded as text, integers, and lists of texts. */
type Bytes = Readonly<Record<string, string | number | readonly string[]>>

export interface EventProof {
  /** Shared by events of one transaction. */
  readonly of: Bytes
  /** Index of the event's log in its receipt, on chains that have receipts. */
  readonly log?: number
  /** Fields of the claim that the bytes prove, and anything else they prove. */
  readonly proves: readonly string[]
}

/** Fetches proofs from a node of one chain. */
export interface Prover {
  /** Facts that a reader must trust the bundle's author for. */
  readonly ourWord: readonly string[]
  /** The proof, or why there is none; never rejects because of the node. */
  prove(claim: Claim): Promise<EventProof | string>
}
