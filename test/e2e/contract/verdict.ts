// The result of checking a row of the contract against answers.

export interface Verdict {
  /** Table and row, as the conformance table has them. */
  readonly row: string
  /** Absent: passed. */
  readonly fault?: string
  /** Why this market does not show it; no fault. */
  readonly unobserved?: string
}

export const held = (row: string): Verdict => ({ row })
export const broken = (row: string, fault: string): Verdict => ({ row, fault })
export const unobserved = (row: string, reason: string): Verdict => ({ row, unobserved: reason })
/** Passed if there is no fault. */
export const judged = (row: string, fault: string | undefined): Verdict => (fault === undefined ? held(row) : broken(row, fault))
