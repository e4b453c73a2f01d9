// Compares the working tree with another commit: `npm run bench -- --against REF [--pairs N] [NAME...]`. Each side runs its own files, and
// the runs alternate on this machine, so that the ratio is meaningful although absolute figures drift by a factor of two in an hour.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { removeDirectory } from '../tools/remove-directory.ts'
import { type Ratio, ratioOf, runOrder, type Side } from './ratios.ts'

const HERE = fileURLToPath(new URL('../..', import.meta.url))
/** Time limit of one run of one bench. */
const RUN_MS_MAX = 1_800_000
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024

export interface Comparison extends Ratio {
  readonly bench: string
  /** Unit of both values; the ratio is the working tree's divided by the other commit's: above 1 is better for rates, worse for times. */
  readonly unit: string
  readonly pairs: number
}

interface Line {
  readonly bench?: string
  readonly value?: number
  readonly unit?: string
}

/** Checks out the commit, compares the benches one after the other, and removes the checkout. */
export const compareWith = (ref: string, names: readonly string[], pairs: number, report: (line: Comparison) => void): void => {
  const there = checkedOut(ref)
  try {
    for (const name of names) report(compare(name, { here: HERE, there }, pairs))
  } finally {
    git('worktree', 'remove', '--force', there)
    removeDirectory(join(there, '..'))
  }
}

const compare = (name: string, trees: Readonly<Record<Side, string>>, pairs: number): Comparison => {
  const values: Record<Side, number[]> = { here: [], there: [] }
  let unit = ''
  for (const side of runOrder(pairs)) {
    const line = runBench(trees[side], name)
    unit = line.unit
    values[side].push(line.value)
    process.stderr.write(`${name}: ${side} ${line.value} ${unit}\n`)
  }
  return { bench: name, ...ratioOf(values), unit, pairs }
}

/** Runs `npm run bench -- NAME` in a checkout: every commit has this command, its implementation may differ. */
const runBench = (dir: string, name: string): Required<Pick<Line, 'value' | 'unit'>> => {
  const { stdout, status } = spawnSync('npm', ['run', '--silent', 'bench', '--', name], {
    cwd: dir,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: RUN_MS_MAX,
    maxBuffer: OUTPUT_BYTES_MAX,
  })
  const lines = status === 0 ? stdout.split('\n').filter((line) => line.startsWith('{')) : []
  const { value, unit } = lines.map((line) => JSON.parse(line) as Line).find(({ bench }) => bench === name) ?? {}
  if (value === undefined || unit === undefined || !(value > 0))
    throw new Error(`bench ${name} printed no figure in ${dir} (exit code ${status}): run it there alone: npm run bench -- ${name}`)
  return { value, unit }
}

/** Checks out a commit into a separate directory, with the packages of its lock file. */
const checkedOut = (ref: string): string => {
  const dir = join(mkdtempSync(join(tmpdir(), 'mintfold-against-')), 'checkout')
  git('worktree', 'prune')
  git('worktree', 'add', '--detach', '--quiet', dir, ref)
  const lockOf = (root: string): string => readFileSync(join(root, 'package-lock.json'), 'utf8')
  if (lockOf(dir) === lockOf(HERE)) symlinkSync(join(HERE, 'node_modules'), join(dir, 'node_modules'), 'dir')
  else execFileSync('npm', ['ci', '--silent'], { cwd: dir, stdio: ['ignore', 'inherit', 'inherit'] })
  return dir
}

/** @throws Error if git fails, for example because it does not know the commit */
const git = (...args: readonly string[]): void => void execFileSync('git', args, { cwd: HERE, stdio: ['ignore', 'ignore', 'inherit'] })
