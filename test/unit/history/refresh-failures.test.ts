// Failures of ClickHouse's refreshes, as text for the log.
import { schemaTroubles } from '../../../topology/history/tables/schema-check.ts'

const TRACE = ', Stack trace (when copying this message, always include the lines below):\n\n0. DB::Exception::Exception(...) @ 0x01'

const troublesOf = (words: string) =>
  schemaTroubles(
    {
      database: 'mintfold',
      rows: async <Row>(sql: string) => (sql.includes('view_refreshes') ? [{ view: 'base_rates', words }] : []) as Row[],
    },
    { migrations: [], views: [] },
  )

test('a failed refresh is reported without the stack trace of ClickHouse', async () => {
  const words = 'Code: 60. DB::Exception: Table mintfold.outcomes_log does not exist. (UNKNOWN_TABLE)'
  expect(await troublesOf(words + TRACE)).toEqual([`the refresh of mintfold.base_rates failed: ${words}; retrying`])
})
test('a refresh that ran before the engine had its database system is not reported', async () => {
  expect(await troublesOf(`Code: 81. DB::Exception: Database system does not exist. (UNKNOWN_DATABASE)${TRACE}`)).toEqual([])
})
