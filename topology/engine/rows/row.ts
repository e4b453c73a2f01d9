// A row of an aggregate.
/** A row: primitives only, so that a spread is a whole copy. */
export type Row = Record<string, unknown>

export type RowId = string | number
