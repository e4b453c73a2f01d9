// Runs the comparator, a Kafka Streams program: copies its folder, builds it with Maven, and starts its script `run.sh`.
import { execFile, spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { figuresOf } from './child.ts'
import type { Pace } from './latency.ts'
import type { Figures } from './together.ts'

const run = promisify(execFile)

/** Bytes per event in the file of events. */
const EVENT_FILE_BYTES = 183

/** Where the comparator keeps state. `on`: in the record cache, as serialized bytes. `object`: in objects, serialized once per commit. */
export type Cache = 'on' | 'object'

/** Settings of a run. */
export interface Setting {
  readonly cache: Cache
  /** Stream threads. */
  readonly threads: number
  readonly commitMs: number
}

export interface ComparatorOptions {
  /** Directory of the comparator's sources. */
  readonly source: string
  /** Directory in which a copy of the sources is built and run; what is already built there is reused. */
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
  /** Generates the file of `count` events unless it exists; returns its path. */
  async events(count: number): Promise<string> {
    const file = join(this.#options.home, 'events.bin')
    if (!existsSync(file) || statSync(file).size !== count * EVENT_FILE_BYTES) await this.#run('generate', ['--n', String(count)])
    return file
  }
  /** Writes the events of the file to the comparator's tape. */
  async load(): Promise<void> {
    await this.#run('load', [])
  }
  /** The figures of a drain and of a restore after it. */
  async restore(setting: Setting): Promise<{ readonly drained: Figures; readonly restored: Figures }> {
    const lines = await this.#run('restore', argsOf(setting))
    return { drained: one(lines, 'drain'), restored: one(lines, 'restore') }
  }
  /** The latency from an event to its flag. The run empties the comparator's tape. */
  async latency(setting: Setting, { eventsPerS, seconds, warmS }: Pace): Promise<Figures> {
    const pace = ['--rate', String(eventsPerS), '--seconds', String(seconds), '--warm-s', String(warmS)]
    const lines = await this.#run('latency', [...argsOf(setting), ...pace])
    const { cpu_s = Number.NaN, rss_mb = Number.NaN } = one(lines, 'serve')
    const measured = one(lines, 'latency')
    // Without a flag, the comparator prints a p99 of -1.
    const { p99_ms = Number.NaN } = measured.flags === 0 ? {} : measured
    return { ...measured, p99_ms, cpu_s, rss_mb }
  }
  #run(mode: string, args: readonly string[]): Promise<readonly Figures[]> {
    const { home, brokerPort } = this.#options
    const env = { ...process.env, BENCH_HOME: home, PORT: String(brokerPort) }
    return figuresOf(spawn(join(this.#dir, 'run.sh'), [mode, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] }))
  }
}

const argsOf = ({ cache, threads, commitMs }: Setting): readonly string[] => [
  ...['--cache', cache, '--threads', String(threads), '--commit', String(commitMs)],
]

const one = (lines: readonly Figures[], mode: string): Figures => {
  const found = lines.find((line) => String(line.mode) === mode)
  if (found === undefined) throw new Error(`the comparator printed no figures for ${mode}`)
  return found
}
