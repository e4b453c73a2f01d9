// Jest sequencer: starts the dear files first, in the order of dear-files.json, so that none of them runs last and alone. Two of them run
// at a time; for the third worker, others follow each, those that wait long first. In a fresh clone Jest itself sorts by file size.
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
const DEAR_AT_A_TIME = 2
/** So many other files take about as long as a dear one. */
const OTHERS_A_DEAR = 14

const pathsOf = (names) => names.map((path) => join(__dirname, '../..', path))
const [dearPaths, waitingPaths] = [pathsOf(Object.keys(DEAR)), pathsOf(WAITING)]

const lost = [...dearPaths, ...waitingPaths].filter((path) => !existsSync(path))
if (lost.length > 0) throw new Error(`${__filename} or dear-files.json names test files that do not exist: ${lost.join(', ')}`)

module.exports = class LongFirst extends Sequencer {
  sort(tests) {
    const sorted = [...super.sort(tests)]
    const among = (paths) => paths.flatMap((path) => sorted.find((test) => test.path === path) ?? [])
    const [dear, waiting] = [among(dearPaths), among(waitingPaths)]
    const others = [...waiting, ...sorted.filter((test) => !dear.includes(test) && !waiting.includes(test))]
    const mixed = dear.flatMap((test, i) => (i < DEAR_AT_A_TIME - 1 ? [test] : [test, ...others.splice(0, OTHERS_A_DEAR)]))
    return [...mixed, ...others]
  }
}
