// Views granted to readers, derived from the statements that create them.
import { publicViews } from '../../../topology/history/tables/public-views.ts'

const file = (sql: string) => [{ name: 'a.sql', sql, checksum: '' }]

test('every shipped view is granted to readers, and no refresh view', () => {
  expect(publicViews()).toEqual(
    expect.arrayContaining(['launches', 'base_rates', 'detector_scorecard', 'wallet_leaderboard', 'event', 'coin']),
  )
  expect(publicViews().filter((name) => /_log$|_refresh$/.test(name))).toEqual([])
})
test('a statement that only mentions a view grants none', () => {
  const sql =
    '-- CREATE VIEW mintfold.no AS\nDROP VIEW IF EXISTS mintfold.a;\nCREATE MATERIALIZED VIEW IF NOT EXISTS mintfold.a_refresh TO mintfold.b AS SELECT 1;\nCREATE OR REPLACE VIEW mintfold.c AS SELECT * FROM mintfold.d;'
  expect(publicViews(file(sql))).toEqual(['c'])
})
