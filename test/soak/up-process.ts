// A running product in a separate process: its output, its ClickHouse and its exit. ClickHouse's pid is found on Linux only.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { NODE_FLAGS } from '../tools/node-flags.ts'
import { RUNNER, SHORT } from '../tools/run.ts'
import type { DemoPlan } from './demo-up.ts'

export const BIN = fileURLToPath(new URL('../../topology/cli/mintfold.mjs', import.meta.url))
const DEMO = fileURLToPath(new URL('./demo-up.ts', import.meta.url))
const ENGINE = 'clickhouse-child.cjs'
const PRINTED_MS_MAX = 60_000
const LINES_MAX = 2_000

export interface UpOptions {
  readonly dataDir: string
  readonly port: number
  /** Arguments of node. */
  readonly args: readonly string[]
  /** Added to the variables for directory and ports. */
  readonly env?: Readonly<Record<string, string>>
  /** Working directory; absent: that of this process. */
  readonly cwd?: string
  /** User that it runs as; absent: that of this process. */
  readonly uid?: number
  /** Receives the lines of stdout. */
  readonly out?: (line: string) => void
}

/** Node arguments for `up` on a recording. */
export const recordingArgs = (recording: string, speed: number | 'max'): readonly string[] => [
  BIN,
  'up',
  '--source',
  `recording:${recording}`,
  '--speed',
  String(speed),
]
/** Node arguments for `up` on a demo that ends. */
export const demoArgs = (plan: DemoPlan): readonly string[] => [RUNNER, DEMO, JSON.stringify(plan)]

/** Killed when this process exits, unless a signal kills it. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** A process that runs or has ended. */
export class UpProcess {
  readonly url: string
  readonly #child: ChildProcess
  readonly #ended: Promise<unknown>
  readonly #waiting = new Set<() => void>()
  #lines: string[] = []

  constructor({ dataDir, port, args, env = {}, cwd, uid, out }: UpOptions) {
    mkdirSync(dataDir, { recursive: true })
    this.url = `http://127.0.0.1:${port}`
    this.#child = spawn(process.execPath, [...NODE_FLAGS, ...SHORT, ...args], {
      ...(cwd !== undefined && { cwd }),
      ...(uid !== undefined && { uid }),
      env: {
        ...process.env,
        MINTFOLD_DATA_DIR: dataDir,
        MINTFOLD_PORT: String(port),
        MINTFOLD_CLICKHOUSE_PORT: '0',
        MINTFOLD_RATE_PER_MINUTE: '1000000',
        ...env,
      },
      stdio: ['ignore', out === undefined ? 'ignore' : 'pipe', 'pipe'],
    })
    this.#ended = once(this.#child, 'exit').finally(() => running.delete(this.#child))
    running.add(this.#child)
    if (out !== undefined) createInterface({ input: this.#child.stdout as NodeJS.ReadableStream }).on('line', out)
    createInterface({ input: this.#child.stderr as NodeJS.ReadableStream }).on('line', (line) => {
      this.#lines.push(line)
      if (this.#lines.length > LINES_MAX) this.#lines = this.#lines.slice(LINES_MAX / 2)
      for (const wake of this.#waiting) wake()
    })
  }
  /** The newest lines of stderr, oldest first. */
  get lines(): readonly string[] {
    return this.#lines
  }
  get pid(): number {
    return this.#child.pid ?? 0
  }
  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }
  has(text: string): boolean {
    return this.#lines.some((line) => line.includes(text))
  }
  /** Resolves when a line with this text was or is printed; rejects if the process ends first, or after `msMax`. */
  printed(text: string, msMax: number = PRINTED_MS_MAX): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(look)
      }
      const look = (): void => {
        if (!this.has(text)) return
        end()
        resolve()
      }
      const fail = (how: string): void => {
        end()
        reject(new Error(`${how}: ${text}\n${this.#lines.join('\n')}`))
      }
      const timer = setTimeout(() => fail(`not printed within ${msMax} ms`), msMax)
      this.#waiting.add(look)
      void this.#ended.then(() => fail('the process ended before it printed'))
      look()
    })
  }
  /** Pid of the embedded engine, also while it starts; null if there is none. */
  enginePid(): number | null {
    const children = textOf(`/proc/${this.pid}/task/${this.pid}/children`).split(' ').filter(Boolean)
    return children.map(Number).find((pid) => textOf(`/proc/${pid}/cmdline`).includes(ENGINE)) ?? null
  }
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#ended
  }
  signal(name: NodeJS.Signals): void {
    this.#child.kill(name)
  }
  /** Sends SIGSTOP: the process exists but does not respond. */
  pause(): void {
    this.#child.kill('SIGSTOP')
  }
  resume(): void {
    this.#child.kill('SIGCONT')
  }
  /** Stops as a user would and returns the exit code. */
  async stop(): Promise<number | null> {
    this.#child.kill('SIGTERM')
    await this.#ended
    return this.#child.exitCode
  }
}

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Starts a process and resolves when it answers requests. @throws if it ends first, or does not answer within `msMax`: it is killed. */
export const startUp = async (options: UpOptions, msMax: number = PRINTED_MS_MAX): Promise<UpProcess> => {
  const up = new UpProcess(options)
  try {
    await up.printed('mintfold answers on', msMax)
    return up
  } catch (failure) {
    await up.kill()
    throw failure
  }
}
