// Breaks each law of `test/laws.ts` in turn, in a copy of the tree, and runs the tests of all laws: `npm run laws [-- NAME...]`. Prints a
// JSON line per law; exit code 1 unless exactly the broken law's test fails, and none without a change.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LAWS, type Law } from '../laws.ts'
import { changedText } from './change.ts'
import { type JestReport, namesOf, redIn } from './laws/red.ts'
import { ProjectCopy } from './project-copy.ts'

const SECONDS_MAX = 300
const FILES = [...new Set(LAWS.map(({ test }) => test.file))]
const NAMES = LAWS.map(namesOf).join('|')

const copy = new ProjectCopy('laws')
const reportFile = join(copy.tree, 'laws-report.json')

const runAll = async (): Promise<{ readonly red: readonly string[]; readonly seconds: number }> => {
  const args = ['--silent', '--json', `--outputFile=${reportFile}`, '--testNamePattern', NAMES, '--runTestsByPath', ...FILES]
  const { status, seconds, output } = await copy.jest(args, SECONDS_MAX)
  if (status === null) throw new Error(`the tests of the laws timed out after ${SECONDS_MAX} s: ${output}`)
  return { red: redIn(JSON.parse(readFileSync(reportFile, 'utf8')) as JestReport, LAWS, copy.tree), seconds }
}

const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

/** True if exactly the broken law's test fails. */
const shows = async ({ name, test, breaking }: Law): Promise<boolean> => {
  const { file, put } = breaking
  const { red, seconds } = await copy.changed(file, (text) => changedText(text, breaking), runAll)
  const isShown = red.length === 1 && red[0] === name
  print({ law: name, broken_in: file, put, red, by: test.file, shown: isShown, seconds })
  return isShown
}

const main = async (names: readonly string[]): Promise<void> => {
  const chosen = LAWS.filter(({ name }) => names.length === 0 || names.includes(name))
  const { red, seconds } = await runAll()
  print({ law: null, red, seconds })
  let shown = 0
  for (const law of chosen) if (await shows(law)) shown += 1
  print({ laws: LAWS.length, broken: chosen.length, shown })
  if (red.length > 0 || shown < chosen.length || chosen.length === 0) process.exitCode = 1
}

try {
  await main(process.argv.slice(2))
} finally {
  copy.remove()
}
