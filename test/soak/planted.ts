// Measures how soon planted faults are found: each in a copy of the tree, by the simulation or by the tests that it names.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PLANTED, type Planted, plantedFiles } from '../simulation/planted.ts'
import { copyTree, ROOT } from '../tools/copy-tree.ts'
import { removeDirectory } from '../tools/remove-directory.ts'

const SECONDS_MAX = 600
const S = 1_000

/** The result of one planted fault. */
export interface PlantedLine {
  readonly name: string
  readonly what: string
  readonly by: string
  readonly found: boolean
  readonly seconds: number
  /** Seed of the simulation. */
  readonly seed?: number
  readonly broken?: string
}

/** Runs all planted faults, or those with these names, each for ten minutes at most; `print` gets each result. */
export const huntPlanted = (names: readonly string[], print: (line: PlantedLine) => void): readonly PlantedLine[] => {
  const unknown = names.filter((name) => PLANTED.every((one) => one.name !== name))
  if (unknown.length > 0)
    throw new Error(`there is no planted fault ${unknown.join(', ')}; known are ${PLANTED.map(({ name }) => name).join(', ')}`)
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-planted-'))
  try {
    copyTree(dir)
    const wanted = PLANTED.filter(({ name }) => names.length === 0 || names.includes(name))
    checkSuites(dir, wanted)
    return wanted.map((one) => {
      const line = hunt(dir, one)
      print(line)
      return line
    })
  } finally {
    removeDirectory(dir)
  }
}

/** @throws if a suite fails without any fault: then its failure would prove nothing */
const checkSuites = (dir: string, planted: readonly Planted[]): void => {
  for (const suite of new Set(planted.flatMap(({ suites }) => suites ?? [])))
    if (runSuites(dir, [suite]) !== 0) throw new Error(`${suite} fails without any planted fault: fix that first`)
}

const hunt = (dir: string, planted: Planted): PlantedLine => {
  const { name, what, suites } = planted
  const files = plantedFiles(planted, (path) => readFileSync(join(ROOT, path), 'utf8'))
  for (const [path, text] of files) writeFileSync(join(dir, path), text)
  const startedMs = performance.now()
  try {
    const found = suites === undefined ? simulated(dir) : { found: runSuites(dir, suites) !== 0 }
    const seconds = Math.round((performance.now() - startedMs) / 100) / 10
    return { name, what, by: suites?.join(' ') ?? 'simulation', seconds, ...found }
  } finally {
    for (const path of files.keys()) cpSync(join(ROOT, path), join(dir, path))
  }
}

const simulated = (dir: string): Pick<PlantedLine, 'found' | 'seed' | 'broken'> => {
  const args = ['--import', 'tsx', 'test/simulation/hunt.ts', String(SECONDS_MAX)]
  const { stdout, status, signal } = spawnSync(process.execPath, args, { cwd: dir, encoding: 'utf8', timeout: (SECONDS_MAX + 60) * S })
  if (stdout === '') throw new Error(`the simulation ended with ${status ?? signal} and printed nothing`)
  const { seed, broken } = JSON.parse(stdout) as { readonly seed?: number; readonly broken?: string }
  return broken === undefined || seed === undefined ? { found: false } : { found: true, seed, broken }
}

/** Exit code: not 0 if a test fails, null if the tests do not end in time. */
const runSuites = (dir: string, suites: readonly string[]): number | null =>
  spawnSync(process.execPath, [join('node_modules', 'jest', 'bin', 'jest.js'), ...suites, '-w', '1'], {
    cwd: dir,
    stdio: 'ignore',
    timeout: SECONDS_MAX * S,
  }).status
