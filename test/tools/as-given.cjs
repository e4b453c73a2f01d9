// Jest sequencer: runs test files in the order of the command line, which names them by `--runTestsByPath`.
const { resolve } = require('node:path')
const { default: Sequencer } = require('@jest/test-sequencer')

module.exports = class AsGiven extends Sequencer {
  sort(tests) {
    const given = new Map(process.argv.map((path, index) => [resolve(path), index]))
    return [...tests].sort((a, b) => given.get(a.path) - given.get(b.path))
  }
}
