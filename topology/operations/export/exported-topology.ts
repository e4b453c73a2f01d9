// What an export needs of the wiring of a chain.
import type { VerifiedTopics, VerifiedTopology } from '../verify/log-rows.ts'

export interface ExportedTopology extends VerifiedTopology {
  readonly operations: VerifiedTopology['operations'] & { readonly export: { readonly reads: VerifiedTopics } }
}
