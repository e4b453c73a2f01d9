// Jest sequencer: starts the dear files first, in the order of dear-files.json, then those that wait long, so that none of them runs last
// and alone. Jest does so itself once it has recorded durations; in a fresh clone it has none and sorts by file size.
const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { default: Sequencer } = require('@jest/test-sequencer')
const DEAR = require('./dear-files.json')

/** Files that mostly wait for brokers, processes and timers, longest first. */
const WAITING = [
  'integration/alt/hostile-node',
  'integration/history-bad-server',
  'contract/log-kafka',
  'integration/kafka/kill-broker',
  'integration/mistakes/servers',
  'integration/kafka/assignment',
  'integration/alt/anvil',
  'integration/api-stream-after',
  'integration/operations/exit',
  'integration/kafka/kill-writer',
  'integration/kafka/registry-down',
  'integration/stuck',
  'integration/live/rpc-source',
  'integration/api-stream',
  'integration/kafka/record-own-log',
  'integration/kafka/topics',
  'integration/source-thread',
  'integration/kafka/fencing',
  'integration/live/rpc-refusals',
  'integration/api-limits',
].map((name) => `test/${name}.test.ts`)
const LONG = [...Object.keys(DEAR), ...WAITING].map((path) => join(__dirname, '../..', path))

const lost = LONG.filter((path) => !existsSync(path))
if (lost.length > 0) throw new Error(`${__filename} or dear-files.json names test files that do not exist: ${lost.join(', ')}`)

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
