// Jest sequencer: the longest test files first, so that none of them runs last and alone. Jest does so itself once it knows how long each
// took; in a fresh clone it knows nothing, and takes big files for long ones.
const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { default: Sequencer } = require('@jest/test-sequencer')

/** Longest first, as measured in a fresh clone. */
const LONG = [
  'integration/kills-demo',
  'integration/sink-away',
  'integration/kills',
  'integration/sink-forks',
  'integration/sink-run',
  'simulation/simulation',
  'integration/history-verify',
  'integration/rebuild-history',
  'e2e/page',
  'integration/demo-in-sql',
  'integration/sink-figures',
  'simulation/payments',
  'integration/differential',
  'integration/kafka/roles-kills',
  'integration/kafka/kill-broker',
  'integration/kafka/kill-writer',
  'integration/two-ways',
  'integration/history-wallets',
  'integration/history-wallets-demo',
  'integration/source-thread',
  'e2e/payment/kill',
  'integration/forks-end-to-end',
  'integration/history-bad-server',
  'integration/sql',
  'integration/history-server-figures',
  'e2e/operations',
  'integration/readme-questions',
  'integration/sink-tables',
  'integration/look-ahead',
  'e2e/cli',
  'integration/lost-trades',
  'property/insiders',
  'integration/demo-source-forks',
  'integration/live/rpc-source',
  'integration/rebuild-kill',
  'property/demo-market',
  'integration/rebuild',
  'e2e/clients/clients',
  'integration/replay-equals-live',
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
