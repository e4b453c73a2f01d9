// Jest sequencer: starts the longest test files first, so that none of them runs last and alone. Jest does so itself once it has recorded
// durations; in a fresh clone it has none and sorts by file size.
const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { default: Sequencer } = require('@jest/test-sequencer')

/** Files that keep a core busy, longest first, as measured in a fresh clone. */
const BUSY = [
  'integration/history-days',
  'integration/aggregates',
  'integration/sink-away',
  'e2e/contract/contract',
  'integration/kills-demo',
  'e2e/pages/market',
  'integration/differential',
  'integration/sink-run',
  'integration/kills',
  'e2e/stuck',
  'integration/history-verify',
  'integration/backtest/command',
  'integration/lookups',
  'integration/one-more-detector',
  'integration/alt/kills',
  'integration/export/export',
  'integration/sink-forks',
  'integration/history-wallets',
  'integration/sink-figures',
  'integration/late-corrections',
  'integration/alt/forks',
  'simulation/simulation',
  'integration/two-ways',
  'integration/look-ahead',
  'integration/history-server-figures',
  'integration/demo-in-sql',
  'integration/rebuild-history',
  'integration/two-chains',
  'integration/history-size',
  'e2e/first-start',
  'integration/grade',
  'integration/upgrade-soak',
  'integration/sql',
  'integration/history-schema',
  'integration/rebuild-commits',
  'integration/backtest/truth',
  'integration/alt/history-demo',
  'integration/readme-questions',
  'integration/backtest/chance',
  'e2e/clients/description',
  'e2e/clients/clients',
  'integration/explain-command',
  'integration/folds-thread',
  'integration/alt/history',
  'simulation/payments',
  'integration/alt/demo-market',
  'integration/history-wallets-demo',
  'unit/processors/mint/crowd',
  'integration/rebuild',
  'integration/forks-end-to-end',
  'unit/backtest/planted-detectors',
  'property/demo-market',
  'integration/rebuild-bases',
  'integration/history-engines',
  'e2e/backtest-page',
  'integration/creator-stats',
]
/** Files that mostly wait for brokers, processes and timers, longest first. */
const WAITING = [
  'integration/kafka/outage',
  'integration/kafka/flapping',
  'integration/kafka/roles-faults',
  'integration/kafka/roles',
  'integration/kafka/serves-redis',
  'integration/alt/hostile-node',
  'integration/mistakes/processes',
  'integration/history-bad-server',
  'contract/log-kafka',
  'integration/kafka/kill-broker',
  'integration/mistakes/servers',
  'integration/kafka/assignment',
  'integration/alt/anvil',
  'integration/kafka/late-ends',
  'integration/api-stream-after',
  'integration/operations/exit',
  'integration/kafka/kill-writer',
  'integration/kafka/registry-down',
  'integration/stuck',
  'integration/live/rpc-source',
  'integration/api-stream',
  'integration/kafka/copies',
  'integration/kafka/record-own-log',
  'integration/kafka/topics',
  'integration/source-thread',
  'integration/kafka/fencing',
  'integration/kafka/rights',
  'integration/live/rpc-refusals',
  'integration/api-limits',
]

/** Alternates both, so that one worker waits while the other computes. Fewer files wait. */
const LONG = BUSY.flatMap((name, n) => [name, ...WAITING.slice(n, n + 1)]).map((name) => join(__dirname, '..', `${name}.test.ts`))

const lost = LONG.filter((path) => !existsSync(path))
if (lost.length > 0) throw new Error(`${__filename} lists test files that do not exist: ${lost.join(', ')}`)

/** Index of a file in LONG; LONG.length for all others. */
const placeOf = ({ path }) => {
  const place = LONG.indexOf(path)
  return place < 0 ? LONG.length : place
}

module.exports = class LongFirst extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => placeOf(a) - placeOf(b))
  }
}
