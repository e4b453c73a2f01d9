// The kinds of columns of the history: their type on the wire (RowBinary) and in ClickHouse's tables.

/**
 * `wire`: the type of inserts. `stored`: the type in the table. Keys and signatures are inserted as bytes and stored as text: ClickHouse
 * encodes the text 50 times faster than this process.
 */
export interface ColumnForm {
  readonly wire: string
  readonly stored: string
}

const same = (type: string): ColumnForm => ({ wire: type, stored: type })

/**
 * Closed list of kinds. Amounts are signed: a boosted pool's virtual reserve may be negative. `units` is clipped to 64 bits; `exact` has
 * the exact value of each clipped column, by its name. `wei` holds any amount of the EVM, which is never negative.
 */
export const COLUMN_FORMS = {
  key: { wire: 'FixedString(32)', stored: 'String' },
  signature: { wire: 'FixedString(64)', stored: 'String' },
  commonKey: { wire: 'FixedString(32)', stored: 'LowCardinality(String)' },
  address: { wire: 'FixedString(20)', stored: 'String' },
  commonAddress: { wire: 'FixedString(20)', stored: 'LowCardinality(String)' },
  txHash: { wire: 'FixedString(32)', stored: 'String' },
  text: same('String'),
  lowCardinality: same('LowCardinality(String)'),
  texts: same('Array(String)'),
  bool: same('Bool'),
  uint32: same('UInt32'),
  number: same('UInt64'),
  units: same('Int64'),
  exact: same('Map(String, Int256)'),
  wei: same('UInt256'),
  seconds: same('Int64'),
  time: same("DateTime64(3, 'UTC')"),
  deleted: same('UInt8'),
} as const satisfies Record<string, ColumnForm>

export type ColumnKind = keyof typeof COLUMN_FORMS

/**
 * The column's name on the wire: bytes of keys and signatures arrive in a separate column, next to the column that stores their text.
 */
export const wireName = (name: string, kind: ColumnKind): string => (isBytes(kind) ? `${name}_bytes` : name)
/** True for kinds that arrive as bytes and are stored as text. */
export const isBytes = (kind: ColumnKind): boolean => COLUMN_FORMS[kind].wire.startsWith('FixedString')
