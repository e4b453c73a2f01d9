// Jest sequencer: the longest test files first, so that none of them runs last and alone. Jest does so itself once it knows how long each
// took; in a fresh clone it knows nothing, and takes big files for long ones.
const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { default: Sequencer } = require('@jest/test-sequencer')

/** Longest first, as measured in a fresh clone. */
const LONG = [
  'integration/kafka/flapping',
  'integration/kafka/outage',
  'integration/kills-demo',
  'integration/sink-away',
  'integration/differential',
  'integration/history-days',
  'e2e/page',
  'integration/kafka/roles-pauses',
  'integration/aggregates',
  'integration/kafka/roles-kills',
  'e2e/contract/contract',
  'e2e/stuck',
  'integration/two-ways',
  'integration/lookups',
  'integration/sink-forks',
  'integration/kafka/assignment',
  'integration/upgrade-soak',
  'integration/mistakes/servers',
  'integration/kafka/kill-broker',
  'integration/kafka/serves-redis',
  'integration/kills',
  'integration/kafka/roles',
  'integration/sink-run',
  'integration/history-wallets',
  'integration/one-more-detector',
  'integration/readme-questions',
  'integration/sink-figures',
  'integration/rebuild-history',
  'integration/demo-in-sql',
  'contract/log-kafka',
  'integration/history-bad-server',
  'simulation/simulation',
  'integration/mistakes/processes',
  'integration/history-verify',
  'integration/late-corrections',
  'integration/kafka/late-ends',
  'integration/sql',
  'integration/creator-stats',
  'e2e/first-start',
  'integration/history-server-figures',
  'integration/rebuild-commits',
  'integration/forks-end-to-end',
  'integration/history-wallets-demo',
  'integration/api-stream-after',
  'integration/history-readers',
  'e2e/clients/description',
  'simulation/payments',
  'integration/history-size',
  'integration/folds-thread',
  'integration/kafka/registry-down',
  'integration/live/rpc-source',
  'integration/one-log',
  'integration/operations/exit',
  'integration/history-schema',
  'e2e/clients/clients',
  'unit/processors/mint/crowd',
  'integration/stuck',
  'e2e/payment/kill',
  'integration/api-stream',
  'integration/rebuild-bases',
  'integration/kafka/kill-writer',
  'integration/kafka/copies',
  'integration/kafka/topics',
  'integration/source-thread',
  'property/demo-market',
  'integration/look-ahead',
  'integration/rebuild',
  'integration/api-limits',
  'integration/demo-source-forks',
  'integration/history-server',
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
