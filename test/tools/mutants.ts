// Plants small faults in the product, one at a time, and runs the related fast tests: `npm run mutants -- --files GLOB --seed N [--count N]`.
// Prints a JSON line per fault and a closing summary; exit code 1 if less than 85 % are killed.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { InvalidArgumentError, program } from 'commander'
import { ROOT } from './copy-tree.ts'
import { chosen, matcher, mutantsIn, productFiles } from './mutants/choose.ts'
import { readEquivalent, reasonFor } from './mutants/equivalent.ts'
import type { Mutant } from './mutants/places.ts'
import { isEnough, type Line, lineOf, SHARE_LEAST, summaryOf } from './mutants/report.ts'
import { MutantTree } from './mutants/run.ts'

const COUNT = 20

interface Options {
  readonly files: readonly string[]
  readonly seed: number
  readonly count: number
  readonly skip: number
  readonly again?: string
}

const whole = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of at most 9 digits.')
  return Number(text)
}
program
  .requiredOption('--files <globs...>', 'folders or files of the product, such as processors/mint or query-api/**/cursor*.ts')
  .option('--seed <n>', 'seed of the random choice', whole, 1)
  .option('--count <n>', 'number of faults', whole, COUNT)
  .option('--skip <n>', 'skip the first n faults of the choice, which an earlier run has covered', whole, 0)
  .option('--again <file>', 'output of an earlier run: plant only the faults that it did not kill')
program.parse()

const optionsOf = program.opts<Options>()

const keyOf = ({ file, in: name, before, after }: Pick<Mutant, 'file' | 'in' | 'before' | 'after'>): string =>
  [file, name, before, after].join('\n')

/** Matches the faults that an earlier run did not kill, by their code, whatever line it is on now. */
const leftIn = (path: string): ((mutant: Mutant) => boolean) => {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{"file"'))
    .map((line) => JSON.parse(line) as Line)
  const left = new Set(lines.filter(({ verdict }) => verdict !== 'killed').map(keyOf))
  return (mutant) => left.has(keyOf(mutant))
}

const chooseAll = ({ files, seed, count, skip, again }: Options): readonly Mutant[] => {
  const paths = productFiles(ROOT).filter((path) => files.some((glob) => matcher(glob)(path)))
  const all = mutantsIn(ROOT, paths)
  if (all.length === 0) program.error(`no place for a fault in ${files.join(', ')}: name folders or files of the product`)
  process.stderr.write(`${all.length} places in ${paths.length} files\n`)
  return again === undefined ? chosen(all, seed, skip + count).slice(skip) : all.filter(leftIn(again))
}

const print = (value: object): void => void process.stdout.write(`${JSON.stringify(value)}\n`)

const main = async (): Promise<void> => {
  const equivalent = readEquivalent()
  const lines: Line[] = []
  const mutants = chooseAll(optionsOf)
  const tree = new MutantTree()
  try {
    for (const mutant of mutants) {
      const line = lineOf(mutant, reasonFor(mutant, readFileSync(join(ROOT, mutant.file), 'utf8'), equivalent) ?? (await tree.run(mutant)))
      lines.push(line)
      print(line)
    }
  } finally {
    tree.remove()
  }
  const summary = summaryOf(lines)
  print({ summary, least: SHARE_LEAST })
  if (!isEnough(summary)) process.exitCode = 1
}
await main()
