// Runs benches: `npm run bench -- NAME...`, all without a name. JSON lines on stdout: the machine, then one line a bench.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { BUNDLED, NODE_FLAGS } from '../tools/node-flags.ts'
import { withStolenShare } from '../tools/processor-time.ts'
import type { Bench } from './bench.ts'
import { machine } from './machine.ts'

/**
 * Runs one bench without the line of the machine: each bench has a process of its own, so that none inherits another's heap, and is bundled
 * as the product is.
 */
const ONE = '--one'

const benchNames = (): string[] =>
  readdirSync(new URL('.', import.meta.url))
    .filter((file) => /^[a-z0-9]+(_[a-z0-9]+)+\.ts$/.test(file))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort()

const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

const runOne = async (name: string): Promise<void> => {
  const { bench } = (await import(`./${name}.ts`)) as { bench: Bench }
  const { done, stolenShare } = await withStolenShare(() => bench.run())
  say({ bench: bench.name, value: done.value, unit: bench.unit, detail: done.detail, stolen_share: stolenShare })
}

/** 0, or 1 when a bench failed. */
const runAll = (names: readonly string[]): number => {
  say({ machine: machine() })
  const self = fileURLToPath(import.meta.url)
  const codes = names.map((name) => spawnSync(process.execPath, [...NODE_FLAGS, BUNDLED, self, ONE, name], { stdio: 'inherit' }).status)
  return codes.every((code) => code === 0) ? 0 : 1
}

const main = async ([first, ...rest]: readonly string[]): Promise<number> => {
  const known = benchNames()
  const names = first === undefined ? known : first === ONE ? rest : [first, ...rest]
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    process.stderr.write(`unknown bench ${unknown.join(', ')}; there are ${known.join(', ')}\n`)
    return 2
  }
  if (first !== ONE) return runAll(names)
  for (const name of names) await runOne(name)
  return 0
}

process.exitCode = await main(process.argv.slice(2))
