import { CURVE_TABLES } from '../../../topology/history/rows/curve-tables.ts'
import { MINT_TABLES } from '../../../topology/history/rows/mint-tables.ts'
import type { WireRow } from '../../../topology/history/rows/row-reader.ts'
import { checkedTables } from '../../../topology/operations/verify/tables.ts'

const TABLES = [...checkedTables(MINT_TABLES), ...checkedTables(CURVE_TABLES)]

/** Findings of one launch at one event. */
const findingOf = (detector: string): WireRow => {
  const value: WireRow['value'] = (name) => (name === 'detector' ? detector : '7')
  return { value } as WireRow
}

test.each(['flags_log', 'shadow_flags_log', 'alt_flags_log', 'alt_shadow_flags_log'])(
  '%s: findings of two detectors at one event are two rows',
  (name) => {
    const table = TABLES.find((one) => one.name === name)
    expect(table?.identityOf(findingOf('one'))).not.toBe(table?.identityOf(findingOf('two')))
  },
)
