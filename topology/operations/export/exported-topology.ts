// The part of a chain's wiring that an export needs.
import type { VerifiedTopics, VerifiedTopology } from '../verify/log-rows.ts'

export interface ExportedTopology extends VerifiedTopology {
  readonly operations: VerifiedTopology['operations'] & { readonly export: { readonly reads: VerifiedTopics } }
}
