import type { LaunchpadAddresses } from '../launchpad-in-use.ts'
// The nodes of the live chain that are asked, and the one that they are held against.

/** Where the live chain is. At least one of gRPC and JSON-RPC is needed for `--source live`. */
export interface LiveSettings {
  readonly rpcUrl: string | null
  readonly wsUrl: string | null
  readonly grpcUrl: string | null
  readonly grpcToken: string | null
  /** JSON-RPC of a second source that every block is held against. */
  readonly checkUrl: string | null
  /** Hash of a block: its branch is followed even behind what is final; null: none. */
  readonly acceptedFork: string | null
}

/** Where the live alt chain is. */
export interface AltSettings {
  /** http(s); may hold a key. Null where nothing is set. */
  readonly rpcUrl: string | null
  /** ws(s); may hold a key. Null: the node is asked every 250 ms instead. */
  readonly wsUrl: string | null
  /** http(s) of a second node that every block is held against; may hold a key. */
  readonly checkUrl: string | null
  /** Null: the deployed launchpad. */
  readonly addresses: LaunchpadAddresses | null
}
