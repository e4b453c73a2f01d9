// What proves events of a finding: bytes that anybody can check, and what they show.

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
  /** What the user paid or got: after fees where the event says so, else without them. */
  readonly quote_units: string | null
  /** Of a launch: total supply. */
  readonly supply_units: string | null
}

/** Bytes as text, whole numbers and lists of them. */
type Bytes = Readonly<Record<string, string | number | readonly string[]>>

export interface EventProof {
  /** Shared by events of one transaction. */
  readonly of: Bytes
  /** Place of the event's log in its receipt, where there are such. */
  readonly log?: number
  /** Fields of the claim that the bytes show, and what else they do. */
  readonly proves: readonly string[]
}

/** Asks a node of one chain. */
export interface Prover {
  /** What a reader has to take from whoever made the bundle. */
  readonly ourWord: readonly string[]
  /** The proof, or why there is none; never rejects for what the node does. */
  prove(claim: Claim): Promise<EventProof | string>
}
