// Jest sequencer for mutants: runs tests that import the mutated file first, then the fast kinds; this kills most mutants within seconds.
const { readFileSync } = require('node:fs')
const { basename, dirname } = require('node:path')
const { default: Sequencer } = require('@jest/test-sequencer')

const KINDS = ['unit', 'contract', 'integration', 'property', 'conformance', 'simulation']

module.exports = class NearFirst extends Sequencer {
  sort(tests) {
    const file = process.env.MUTANT_FILE ?? ''
    const [name, folder, topic] = [`/${basename(file)}'`, `/${dirname(file)}/`, basename(file, '.ts')]
    const sameFolder = `/${basename(dirname(file))}/`
    const nearness = (path) => {
      const text = readFileSync(path, 'utf8')
      if (text.includes(name)) return 0
      if (basename(path).includes(topic)) return 10
      return path.includes(sameFolder) ? 20 : text.includes(folder) ? 30 : 40
    }
    const rankOf = ({ path }) => nearness(path) + KINDS.findIndex((kind) => path.includes(`/test/${kind}/`))
    const ranks = new Map(tests.map((test) => [test, rankOf(test)]))
    return [...tests].sort((a, b) => ranks.get(a) - ranks.get(b) || a.path.localeCompare(b.path))
  }
}
