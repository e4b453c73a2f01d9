// Runs Kafka Streams for comparison: its folder is copied, built and run by its own script.
import { execFile, spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Figures, figuresOf } from './child.ts'

const run = promisify(execFile)

/** Bytes per event in its file. */
const EVENT_FILE_BYTES = 183

/** How it keeps state: `on`: its record cache of serialized bytes; `object`: live objects, serialized once per commit. */
export type Cache = 'on' | 'object'

export interface ComparatorOptions {
  /** Directory of its sources. */
  readonly source: string
  /** Directory into which it is copied, built and run; what is already built there is reused. */
  readonly home: string
  readonly brokerPort: number
  readonly brokerPid: number
}

export class Comparator {
  readonly #dir: string
  readonly #options: ComparatorOptions

  private constructor(options: ComparatorOptions) {
    this.#options = options
    this.#dir = join(options.home, 'kafka-streams')
  }
  static async prepare(options: ComparatorOptions): Promise<Comparator> {
    const comparator = new Comparator(options)
    await mkdir(options.home, { recursive: true })
    await cp(options.source, comparator.#dir, { recursive: true, force: true })
    await run('chmod', ['-R', 'u+w', comparator.#dir])
    if (!existsSync(join(comparator.#dir, 'target', 'bench.jar'))) await run('mvn', ['-q', '-B', 'package'], { cwd: comparator.#dir })
    await writeFile(join(options.home, 'broker.pid'), String(options.brokerPid))
    return comparator
  }
  /** Path of the events' file. */
  async events(count: number): Promise<string> {
    const file = join(this.#options.home, 'events.bin')
    if (!existsSync(file) || statSync(file).size !== count * EVENT_FILE_BYTES) await this.#run('generate', ['--n', String(count)])
    return file
  }
  /** Writes the events to its tape. */
  async load(): Promise<void> {
    await this.#run('load', [])
  }
  async drain(cache: Cache): Promise<Figures> {
    return one(await this.#run('drain', ['--cache', cache]), 'drain')
  }
  /** The figures of a drain and of a restore after it. */
  async restore(cache: Cache): Promise<{ readonly drained: Figures; readonly restored: Figures }> {
    const lines = await this.#run('restore', ['--cache', cache])
    return { drained: one(lines, 'drain'), restored: one(lines, 'restore') }
  }
  /** Empties its tape. */
  async latency(cache: Cache, commitMs: number, rate: number, seconds: number, warmS: number): Promise<Figures> {
    const pace = ['--rate', String(rate), '--seconds', String(seconds), '--warm-s', String(warmS)]
    return one(await this.#run('latency', ['--cache', cache, '--commit', String(commitMs), ...pace]), 'latency')
  }
  #run(mode: string, args: readonly string[]): Promise<readonly Figures[]> {
    const { home, brokerPort } = this.#options
    const env = { ...process.env, BENCH_HOME: home, PORT: String(brokerPort) }
    return figuresOf(spawn(join(this.#dir, 'run.sh'), [mode, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] }))
  }
}

const one = (lines: readonly Figures[], mode: string): Figures => {
  const found = lines.find((line) => String(line.mode) === mode)
  if (found === undefined) throw new Error(`the comparator printed no figures for ${mode}`)
  return found
}
