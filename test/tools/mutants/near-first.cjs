// Jest sequencer for mutants: tests that import the mutated file first, then the quick kinds, so that most are killed within seconds.
const { readFileSync } = require('node:fs')
const { basename, dirname } = require('node:path')
const { default: Sequencer } = require('@jest/test-sequencer')

const KINDS = ['unit', 'contract', 'property', 'conformance', 'simulation']

module.exports = class NearFirst extends Sequencer {
  sort(tests) {
    const file = process.env.MUTANT_FILE ?? ''
    const [name, folder] = [`/${basename(file)}'`, `/${dirname(file)}/`]
    const rankOf = ({ path }) => {
      const text = readFileSync(path, 'utf8')
      return (text.includes(name) ? 0 : text.includes(folder) ? 10 : 20) + KINDS.findIndex((kind) => path.includes(`/test/${kind}/`))
    }
    const ranks = new Map(tests.map((test) => [test, rankOf(test)]))
    return [...tests].sort((a, b) => ranks.get(a) - ranks.get(b) || a.path.localeCompare(b.path))
  }
}
