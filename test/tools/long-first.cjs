// Jest sequencer: starts the dear files first, in the order of dear-files.json, so that none of them runs last and alone. Others follow
// each, those that wait long first, because not all workers may run dear files at a time. In a fresh clone Jest itself sorts by size.
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
/** So many other files take about as long as a dear one. */
const OTHERS_A_DEAR = 14

const [dearPaths, waitingPaths] = [Object.keys(DEAR), WAITING].map((paths) => paths.map((path) => join(__dirname, '../..', path)))

const lost = [...dearPaths, ...waitingPaths].filter((path) => !existsSync(path))
if (lost.length > 0) throw new Error(`${__filename} or dear-files.json names test files that do not exist: ${lost.join(', ')}`)

module.exports = class LongFirst extends Sequencer {
  sort(tests) {
    const rest = new Map([...super.sort(tests)].map((test) => [test.path, test]))
    const taken = (paths) =>
      paths.flatMap((path) => {
        const test = rest.get(path)
        return rest.delete(path) ? [test] : []
      })
    const dear = taken(dearPaths)
    const others = [...taken(waitingPaths), ...rest.values()]
    return [...dear.flatMap((test) => [test, ...others.splice(0, OTHERS_A_DEAR)]), ...others]
  }
}
