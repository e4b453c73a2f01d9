import type { LaunchpadAddresses } from '../launchpad-in-use.ts'
// Settings of the nodes of the live chains, and of the nodes for cross-checks.

/** Nodes of the live chain. `--source live` requires at least one of gRPC and JSON-RPC. */
export interface LiveSettings {
  readonly rpcUrl: string | null
  readonly wsUrl: string | null
  readonly grpcUrl: string | null
  readonly grpcToken: string | null
  /** JSON-RPC of a second source that every block is compared with. */
  readonly checkUrl: string | null
  /** Hash of a block whose branch is followed even below final blocks; null: none. */
  readonly acceptedFork: string | null
}

/** Nodes of the live alt chain. */
export interface AltSettings {
  /** http(s); may contain a key. Null if not set. */
  readonly rpcUrl: string | null
  /** ws(s); may contain a key. Null: the node is polled every 250 ms instead. */
  readonly wsUrl: string | null
  /** http(s) of a second node that every block is compared with; may contain a key. */
  readonly checkUrl: string | null
  /** Null: the deployed launchpad. */
  readonly addresses: LaunchpadAddresses | null
}
