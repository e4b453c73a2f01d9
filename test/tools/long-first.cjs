// Jest sequencer: the longest test files first, so that none of them runs last and alone. Jest does so itself once it knows how long each
// took; in a fresh clone it knows nothing, and takes big files for long ones.
const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { default: Sequencer } = require('@jest/test-sequencer')

/** Longest first, as measured in a fresh clone. */
const LONG = [
  'integration/kills-demo',
  'integration/sink-away',
  'integration/sink-forks',
  'integration/kills',
  'simulation/simulation',
  'integration/sink-run',
  'integration/history-verify',
  'integration/rebuild-history',
  'integration/demo-in-sql',
  'e2e/page',
  'integration/readme-questions',
  'integration/kafka/roles-kills',
  'integration/kafka/kill-broker',
  'integration/kafka/kill-writer',
  'integration/differential',
  'integration/forks-end-to-end',
  'e2e/payment/kill',
  'integration/two-ways',
  'simulation/payments',
  'integration/sql',
  'integration/look-ahead',
  'property/demo-market',
  'integration/history-wallets-demo',
  'integration/source-thread',
  'integration/rebuild',
  'integration/history-server-figures',
  'integration/demo-source',
  'integration/sink-figures',
  'integration/replay-equals-live',
  'property/insiders',
  'e2e/clients/clients',
  'integration/demo-source-forks',
  'property/demo-bytes-market',
  'integration/live/rpc-source',
  'integration/rebuild-commits',
  'integration/history-wallets',
  'integration/api-stream',
  'integration/demo-market-check',
  'e2e/operations',
  'integration/lost-trades',
  'e2e/cli',
  'integration/history-bad-server',
  'integration/operations/record-and-verify',
  'integration/history-server',
  'integration/forks-live',
  'integration/api-limits',
  'integration/rebuild-kill',
  'property/demo-forks',
  'integration/payment/faults',
  'integration/sink-tables',
  'tidy',
  'integration/grade',
  'integration/reserve-continuity',
  'integration/accounts-rpc',
  'integration/hostile-names',
  'integration/lmdb-kill',
  'property/engine-model',
  'property/engine-forks-mint',
  'integration/live/cross-check',
  'property/mint',
  'integration/records-end-to-end',
  'integration/history-verify-command',
  'unit/sources/demo-accounts',
  'e2e/dead-letters',
  'property/engine-exchange',
].map((name) => join(__dirname, '..', `${name}.test.ts`))

const lost = LONG.filter((path) => !existsSync(path))
if (lost.length > 0) throw new Error(`${__filename} names test files that are not there: ${lost.join(', ')}`)

/** A file's place among the long ones, the last for all others. */
const placeOf = ({ path }) => {
  const place = LONG.indexOf(path)
  return place < 0 ? LONG.length : place
}

module.exports = class LongFirst extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => placeOf(a) - placeOf(b))
  }
}
