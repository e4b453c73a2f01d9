// Rows about the ranked preview and launches since, and the tests that check them.
import { type RuleRow, rule } from './rule-row.ts'

const RADAR = 'test/integration/api-radar.test.ts'
const SINCE = 'test/integration/api-launches-since.test.ts'
export const rankedRules: readonly RuleRow[] = [
  rule(
    'limit: preview rebuilt at most once per 5 s',
    RADAR,
    'is computed at most every 5 s, whatever is requested, and reads nothing in between',
  ),
  rule('limit: preview, top 10 per side, up to 25', RADAR, 'have 10 rows by default and up to 25 on request; more is a 422'),
  rule(
    'limit: preview, rug rows leave at 30 s of age; graduation window of 900 s',
    RADAR,
    'a launch leaves the rug side at 30 s of age exactly, and the graduation side after 900 s',
  ),
  rule('limit: preview, graduation from 5 buys on', RADAR, 'graduation requires 5 buys, an open curve, and SOL'),
  rule('limit: preview, horizon of 300 s', RADAR, 'states how to buy, how to poll, and where the odds are graded'),
  rule('limit: launches since, up to 100 per call', SINCE, 'have 100 launches at most and by default'),
  rule(
    'launches since: oldest first, every one once',
    'test/property/launches-since.test.ts',
    'each launch that remains is returned exactly once, over forks, servers that lag each other and pages of any size',
  ),
  rule('410: cursor of launches since older than 24 hours, unpaid', SINCE, 'older than 24 h is a 410, unpaid'),
]
