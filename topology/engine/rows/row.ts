// Row types of an aggregate.
/** A row: primitives only, so that a spread is a full copy. */
export type Row = Record<string, unknown>

export type RowId = string | number
