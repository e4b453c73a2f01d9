// Runs benches: `npm run bench -- [--against REF [--pairs N]] [NAME...]`; without a name, all. Prints JSON lines: the machine, then one
// line per bench with its figure, or with `--against` its ratio.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { messageOf } from '../../schemas/errors.ts'
import { BUNDLED, NODE_FLAGS } from '../tools/node-flags.ts'
import { withStolenShare } from '../tools/processor-time.ts'
import { compareWith } from './against.ts'
import type { Bench } from './bench.ts'
import { machine } from './machine.ts'
import { PAIRS_MAX, PAIRS_MIN } from './ratios.ts'

/**
 * Runs the named bench in this process and does not print the machine. Each bench has a process of its own, so that none inherits
 * another's heap, and is bundled like the product.
 */
const ONE = '--one'

const benchNames = (): string[] =>
  readdirSync(new URL('.', import.meta.url))
    .filter((file) => /^[a-z0-9]+(_[a-z0-9]+)+\.ts$/.test(file))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort()

const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

const runOne = async (name: string): Promise<void> => {
  const { bench } = (await import(`./${name}.ts`)) as { bench: Bench }
  const { done, stolenShare } = await withStolenShare(() => bench.run())
  print({ bench: bench.name, value: done.value, unit: bench.unit, detail: done.detail, stolen_share: stolenShare })
}

/** Returns 1 if a bench failed, else 0. */
const runAll = (names: readonly string[]): number => {
  print({ machine: machine() })
  const self = fileURLToPath(import.meta.url)
  const codes = names.map((name) => spawnSync(process.execPath, [...NODE_FLAGS, BUNDLED, self, ONE, name], { stdio: 'inherit' }).status)
  return codes.every((code) => code === 0) ? 0 : 1
}

interface BenchOptions {
  readonly against: string | undefined
  readonly pairs: number
  readonly isOne: boolean
  readonly names: readonly string[]
}

const OPTIONS = { against: { type: 'string' }, pairs: { type: 'string', default: String(PAIRS_MIN) }, one: { type: 'boolean' } } as const

/** @throws Error that describes the wrong argument */
const parse = (args: readonly string[]): BenchOptions => {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  const pairs = Number(values.pairs)
  if (!Number.isInteger(pairs) || pairs < PAIRS_MIN || pairs > PAIRS_MAX)
    throw new Error(`--pairs must be a whole number from ${PAIRS_MIN} to ${PAIRS_MAX}`)
  const known = benchNames()
  const unknown = positionals.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new Error(`unknown bench ${unknown.join(', ')}; there are ${known.join(', ')}`)
  return { against: values.against, pairs, isOne: values.one === true, names: positionals.length > 0 ? positionals : known }
}

const run = async ({ against, pairs, isOne, names }: BenchOptions): Promise<number> => {
  if (isOne) {
    for (const name of names) await runOne(name)
    return 0
  }
  if (against === undefined) return runAll(names)
  print({ machine: machine(), against })
  compareWith(against, names, pairs, print)
  return 0
}

const main = async (args: readonly string[]): Promise<number> => {
  let options: BenchOptions
  try {
    options = parse(args)
  } catch (failure) {
    process.stderr.write(`${messageOf(failure)}\n`)
    return 2
  }
  return run(options)
}

process.exitCode = await main(process.argv.slice(2))
